import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Context } from '../src/operations/context.ts'
import { changedFiles, guardChanges } from '../src/record/guard.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import type { CodeParser } from '../src/retrieval/ports/code-parser.ts'
import { stepClock } from '../test/contract/step-clock.ts'
import { type Given, recordFiles } from '../test/sample-record.ts'
import { readRecord } from './rejection-sets.ts'

/** A change as two states of some files. */
export interface GuardCase {
  readonly title: string
  /** The decision that the change violates, e.g. D002; undefined if it reintroduces nothing. */
  readonly wanted: string | undefined
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
  readonly isUntouched: boolean
}

export interface JudgedCase extends GuardCase {
  /** The decisions that `ken guard` reports as violated. */
  readonly found: readonly string[]
  readonly isRight: boolean
}

/**
 * `changes`: changes of all kinds. `services`: changes that name a vendor, one of its services, or the files a vendor
 * reads.
 */
export type GuardSet = 'changes' | 'services'

/** Reads the cases of a set; cases at even positions are held out. */
export const readCases = (set: GuardSet): GuardCase[] => [...readFile(set, 'returns'), ...readFile(set, 'mentions')]

const folderOf = (set: GuardSet): string =>
  join(import.meta.dirname, 'sets', 'guard', ...(set === 'services' ? ['services'] : []))

/** The decisions that the changes of a set are checked against. */
export const recordOf = (set: GuardSet): Given[] =>
  set === 'changes' ? readRecord() : (JSON.parse(readFileSync(join(folderOf(set), 'record.json'), 'utf8')) as Given[])

/**
 * Parses a file of cases: `=== title` begins a case, `<<< path` a file before the change, `>>> path` a file after it.
 */
function readFile(set: GuardSet, name: 'returns' | 'mentions'): GuardCase[] {
  const text = readFileSync(join(folderOf(set), `${name}.txt`), 'utf8')
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block, i) => {
      const [title = '', ...parts] = block.split(/\n(?=(?:<<<|>>>) )/)
      const files = parts.map((part) => /^(<<<|>>>) (.*)\n?([\s\S]*)$/.exec(part)!)
      const side = (mark: string) =>
        new Map(files.filter((file) => file[1] === mark).map(([, , path, body]) => [path!, `${body!.trimEnd()}\n`]))
      const [wanted] = title.split(' ')
      return {
        title: title.trim(),
        wanted: name === 'returns' ? wanted : undefined,
        before: side('<<<'),
        after: side('>>>'),
        isUntouched: i % 2 === 0,
      }
    })
}

/** Runs each case of a set through the guard on a separate git repository. */
export async function judgeCases(set: GuardSet, cases = readCases(set)): Promise<JudgedCase[]> {
  const store = await openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles(recordOf(set)),
  })
  const parser = openTreeSitterParser()
  const judged: JudgedCase[] = []
  try {
    for (const each of cases) {
      const found = await judgeCase(store, parser, each)
      const isRight = each.wanted === undefined ? found.length === 0 : found.includes(each.wanted)
      judged.push({ ...each, found, isRight })
    }
  } finally {
    await parser.close()
  }
  return judged
}

async function judgeCase(store: Store, parser: CodeParser, { before, after }: GuardCase): Promise<string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-guard-eval-')))
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
    git('init', '--quiet')
    for (const [path, text] of before) write(folder, path, text)
    git('add', '--all')
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
    git(...who, 'commit', '--quiet', '--allow-empty', '-m', 'start')
    for (const path of before.keys()) if (!after.has(path) && isGone(path, after)) rmSync(join(folder, path))
    for (const [path, text] of after) write(folder, path, text)
    git('add', '--all')
    const ctx = {
      repository: () => openRepository(folder),
      codeParser: async () => parser,
      progress() {},
    } as Partial<Context> as Context
    const { findings } = await guardChanges(ctx, store, { files: await changedFiles(ctx, {}), base: undefined })
    return findings.filter(({ kind }) => kind === 'returns').map(({ decision }) => decision.label)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files without a later state: README.md and package.json stay; any other file is deleted or renamed. */
const isGone = (path: string, after: ReadonlyMap<string, string>): boolean =>
  !after.has(path) && !/^(?:README\.md|package\.json)$/.test(path)

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
