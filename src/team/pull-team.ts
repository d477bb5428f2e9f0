import { AppError } from '../kernel/domain/errors.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { Store } from '../record/ports/store.ts'
import type { CopyChange } from './ports/team-copy.ts'
import type { TeamRecord } from './ports/team-record.ts'

/** The team's changes since a revision. */
export interface PulledTeam extends CopyChange {
  readonly lines: readonly string[]
}

const TEXTS_A_CALL = 200
// An endless answer from a server would fill this machine's memory.
const MOST_FILES = 500_000
const MOST_LINES = 2_000_000
const MOST_CHARACTERS = 256 * 1024 * 1024

/**
 * Fetches the changes since `base`, and only those texts that are not here already. Undefined if there are none;
 * `moved` if the team's record changed between two answers, so that they do not fit together.
 */
export async function pullTeam(
  { store, team }: { readonly store: Store; readonly team: TeamRecord },
  base: string | undefined,
): Promise<PulledTeam | 'moved' | undefined> {
  const listed = await allFiles(team, base)
  if (listed === 'moved') return 'moved'
  const { revision, files } = listed
  if (revision === null || revision === base) return undefined
  const texts = new Map<string, string | undefined>()
  const wanted = new Map<string, string>()
  for (const [path, hash] of files) {
    const here = hash === null ? undefined : await store.read(path).catch(() => undefined)
    if (hash === null) texts.set(path, undefined)
    else if (here !== undefined && sha256(here) === hash) texts.set(path, here)
    else wanted.set(path, hash)
  }
  const entries = [...wanted]
  let characters = 0
  for (let at = 0; at < entries.length; at += TEXTS_A_CALL)
    for (const [path, text] of await team.texts(new Map(entries.slice(at, at + TEXTS_A_CALL)))) {
      if ((characters += text.length) > MOST_CHARACTERS) throw endless()
      if (sha256(text) === wanted.get(path)) texts.set(path, text)
    }
  if (entries.some(([path]) => !texts.has(path))) return 'moved'
  const lines = await allLines(team, base, revision)
  return lines === 'moved' ? 'moved' : { revision, texts, lines }
}

async function allFiles(
  team: TeamRecord,
  since: string | undefined,
): Promise<{ revision: string | null; files: Map<string, string | null> } | 'moved'> {
  const files = new Map<string, string | null>()
  let page = await team.manifest({ since })
  const { revision } = page
  for (;;) {
    const known = files.size
    for (const { path, sha256: hash } of page.files) files.set(path, hash)
    if (files.size > MOST_FILES || (page.next !== undefined && files.size === known)) throw endless()
    if (page.next === undefined) return { revision, files }
    page = await team.manifest({ since, from: page.next })
    if (page.revision !== revision) return 'moved'
  }
}

async function allLines(team: TeamRecord, since: string | undefined, revision: string): Promise<string[] | 'moved'> {
  const lines: string[] = []
  let characters = 0
  for (let from: string | undefined; ;) {
    const page = await team.lines({ since, from })
    if (page.revision !== revision) return 'moved'
    lines.push(...page.lines)
    characters = page.lines.reduce((sum, line) => sum + line.length, characters)
    if (lines.length > MOST_LINES || characters > MOST_CHARACTERS) throw endless()
    if (page.next !== undefined && page.lines.length === 0) throw endless()
    if (page.next === undefined) return lines
    from = page.next
  }
}

const endless = (): AppError =>
  new AppError('unavailable', 'The team’s record exceeds this machine’s size limit.', {
    hint: 'Check the server address.',
  })
