import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { runGit } from '../../../kernel/system/git.ts'
import { mergeFile } from '../../domain/merge-file.ts'

/**
 * The arguments of a git merge driver: `%O %A %B %P`. The first three are temporary files of git, the path is relative
 * to `worktree`.
 */
export interface MergeDriverCall {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  readonly path: string
  readonly worktree: string
}

export interface MergeDriverAnswer {
  /** False if markers were left for a person to settle. */
  readonly clean: boolean
  readonly messages: readonly string[]
}

/** Files next to the record that configure git for it. */
export const ATTRIBUTES = '.gitattributes'
export const SNAPSHOTS_IGNORED = 'snapshots/.gitignore'
export const ALL_IGNORED = '*\n'

/** Lines of `.gitattributes` in the folder of a record in git. Line ends stay as they are hashed. */
export const RECORD_ATTRIBUTES = `* text eol=lf
journal/events.jsonl merge=ken
open-questions.md merge=ken
state_current.md merge=ken
state_history.md merge=ken
.decision-hashes.json merge=ken
decisions/*.md merge=ken
`

/**
 * Merges one record file and writes the result where git expects it. Conflicts across files, such as a duplicate
 * number, are settled when the record is next opened.
 */
export async function runMergeDriver(call: MergeDriverCall): Promise<MergeDriverAnswer> {
  const [base, ours, theirs] = await Promise.all(
    [call.base, call.ours, call.theirs].map((file) => readFile(file, 'utf8')),
  )
  const path = insideRecord(call.path)
  if (base === '' && path.startsWith('decisions/') && ours !== theirs) return keepBoth(call, ours!, theirs!)
  const merged = mergeFile(path, { base: base!, ours: ours!, theirs: theirs! })
  if (merged === undefined) return mergeLines(call)
  await writeFile(call.ours, merged.text)
  return { clean: true, messages: merged.conflicts }
}

const insideRecord = (path: string): string =>
  /(?:^|\/)((?:decisions|context|journal)\/[^/]+|[^/]+)$/.exec(path)?.[1] ?? path

/**
 * Two decisions under one name: the decision whose text sorts first keeps it on every clone, and the other is kept next
 * to it until it gets a new number.
 */
async function keepBoth(call: MergeDriverCall, ours: string, theirs: string): Promise<MergeDriverAnswer> {
  const [first, second] = ours < theirs ? [ours, theirs] : [theirs, ours]
  const folder = join(call.worktree, dirname(call.path))
  const stem = basename(call.path, '.md')
  let copy = 2
  while (existsSync(join(folder, `${stem}-${copy}.md`))) copy++
  await writeFile(call.ours, first)
  await writeFile(join(folder, `${stem}-${copy}.md`), second)
  return {
    clean: true,
    messages: [
      `both branches added ${stem}; the other one is ${stem}-${copy}.md and gets its own number with the next \`ken\` command`,
    ],
  }
}

async function mergeLines(call: MergeDriverCall): Promise<MergeDriverAnswer> {
  const names = ['ours', 'base', 'theirs'].flatMap((label) => ['-L', label])
  const files = [call.ours, call.base, call.theirs].map((file) => resolve(file))
  const clean = (await runGit('nowhere', ['merge-file', ...names, ...files]))?.code === 0
  const messages = clean ? [] : [`${call.path} was changed on both branches; settle the marked lines`]
  return { clean, messages }
}
