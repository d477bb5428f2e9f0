import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decisionNumber } from '../../../core/decision/decision-id.ts'
import { AppError } from '../../../core/errors.ts'
import { rejoinJournal } from '../../../core/journal/merge-journal.ts'
import { HASHES } from '../../../core/record/files.ts'
import { healed, isBoth, isBroken, rebuiltHashes, type KnownVersions } from '../../../core/record/heal-joined.ts'
import {
  joinedPaths,
  joinedStates,
  mendMerged,
  type JoinedState,
  type MergeRepair,
} from '../../../core/record/merge-repair.ts'
import type { RecordFiles } from '../../../core/record/merge.ts'
import { plural } from '../../../core/text.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Draft, Store } from '../../../ports/store.ts'
import { gitDirectoryAround } from '../../git-directory.ts'
import { makeWritable } from './commit.ts'
import { pastStates } from './git-copies.ts'
import { isJoined } from './journal-ends.ts'
import { JOURNAL, journalEnd } from './journal-file.ts'
import type { RecordLock } from './lock.ts'
import { decodeOrSkip, sha256 } from './record-file.ts'
import type { RecordFolder } from './record-folder.ts'
import { recover } from './recovery.ts'
import type { Scratch } from './scratch.ts'
import { land } from './transaction.ts'

export interface SettleParts {
  readonly store: Store
  readonly folder: RecordFolder
  readonly scratch: Scratch
  readonly lock: RecordLock
  readonly lockTimeoutMs: number
  readonly clock: Clock
}

/**
 * Settles a record that git has joined, with Ken's merge driver or without, and answers what it changed. Fails quietly:
 * one that cannot be written now is still worth reading, and doctor tells the rest.
 */
export async function settleIfMerged(parts: SettleParts): Promise<readonly string[]> {
  const { store, folder, scratch } = parts
  try {
    const joined = isJoined(folder, scratch)
    if ((joined && !(await needsSettling(parts))) || isGitBusy(folder.root)) return []
    const rejoined = !joined && (await rejoin(parts))
    if (!joined && !rejoined && !(await needsSettling(parts))) return []
    return await store.commit({ surface: 'merge' }, (draft) => mend(parts, draft))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return []
  }
}

/**
 * True when a merge left two file names with one number, or texts that both branches changed and nothing vouches for
 * yet.
 */
async function needsSettling({ store, folder }: SettleParts): Promise<boolean> {
  const numbers = (await folder.names('decisions', '.md')).flatMap((name) => decisionNumber(name) ?? [])
  if (new Set(numbers).size < numbers.length) return true
  const { last } = await journalEnd(folder)
  return last?.operation === 'join' && joinedPaths(await store.journal()).length > 0
}

/** Makes one journal of what git joined as text. From then on it is as if Ken's merge driver had done it. */
async function rejoin({ store, folder, scratch, lock, lockTimeoutMs, clock }: SettleParts): Promise<boolean> {
  makeWritable(folder, scratch, store.project.mode)
  const release = await lock.acquire(lockTimeoutMs)
  try {
    recover(folder.files, scratch)
    const before = (await folder.readBytes(JOURNAL)) ?? Buffer.alloc(0)
    const text = rejoinJournal(before.toString('utf8'))
    if (text === undefined) return false
    const writes = [{ path: JOURNAL, text, before: sha256(before) }]
    land(folder.files, scratch, { id: clock.ulid(), writes, removes: [], appends: [] })
    return true
  } finally {
    release()
  }
}

// Each takes several calls of git, and whoever opens the record waits.
const MOST_MENDED = 200

/** Settles what git left in the files: texts that it could not join, and numbers that are used twice. */
async function mend({ store, folder }: SettleParts, draft: Draft): Promise<string[]> {
  const events = await store.journal()
  const paths = new Set(await store.list())
  const whole: string[] = []
  for (const state of joinedStates(events)) {
    if (whole.length >= MOST_MENDED) break
    const text = await draft.read(state.path).catch(() => undefined)
    const texts = text === undefined ? undefined : await mended(folder, state, text)
    for (const [path, better] of Object.entries(texts ?? {})) {
      draft.write(path, better)
      if (path !== HASHES) paths.add(path)
    }
    if (texts !== undefined) whole.push(state.path)
  }
  const hashes = await draft.read(HASHES).catch(() => undefined)
  if (hashes !== undefined && isBroken(HASHES, hashes)) draft.write(HASHES, rebuiltHashes(await textsOf(draft, paths)))
  return toldOf(await mendMerged([...paths], events, draft), whole)
}

/** Undefined for a text that is sound, and for one that only a person can settle. */
async function mended(folder: RecordFolder, state: JoinedState, text: string): Promise<RecordFiles | undefined> {
  const { path, base, ours, theirs } = state
  const isNewDecision = typeof base !== 'string' && ours !== theirs && path.startsWith('decisions/')
  if (!isNewDecision && !isBroken(path, text)) return undefined
  const known = await versionsOf(folder, state)
  return isBroken(path, text) || isBoth(text, known) ? healed(path, text, known) : undefined
}

async function textsOf(draft: Draft, paths: Iterable<string>): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const path of paths) {
    const text = await draft.read(path).catch(() => undefined)
    if (text !== undefined) files[path] = text
  }
  return files
}

/** The journal knows the texts by their hashes, and git has them. */
async function versionsOf({ root }: RecordFolder, { path, base, ours, theirs }: JoinedState): Promise<KnownVersions> {
  const wanted = new Set([base, ours, theirs].filter((hash) => typeof hash === 'string'))
  const texts = new Map<string, string>()
  for await (const { bytes } of pastStates(root, path)) {
    const text = decodeOrSkip(bytes, path)
    if (text !== undefined) texts.set(sha256(bytes), text).set(sha256(text), text)
    if ([...wanted].every((hash) => texts.has(hash))) break
  }
  const textOf = (hash: string | null | undefined) => (typeof hash === 'string' ? texts.get(hash) : undefined)
  return { isNew: typeof base !== 'string', base: textOf(base), ours: textOf(ours), theirs: textOf(theirs) }
}

/** One line for each thing that a reader must know; nothing where git had joined it all. */
function toldOf({ renumbered, ambiguous, conflicts }: MergeRepair, whole: readonly string[]): string[] {
  const lines = [
    ...renumbered.map(({ from, to }) => `${from} is now ${to}`),
    ...(whole.length === 0 ? [] : [`joined ${whole.join(', ')}`]),
    ...conflicts,
    ...(ambiguous.length === 0
      ? []
      : [`${plural(ambiguous.length, 'reference')} may mean either: see \`ken journal\``]),
  ]
  return lines.length === 0 ? [] : [`Settled a merge of the record: ${lines.join('; ')}. Commit .ken/record.`]
}

const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

/** While git is half way through, changing files would get in its way. */
function isGitBusy(folder: string): boolean {
  const own = gitDirectoryAround(folder)?.own
  return own !== undefined && UNDER_WAY.some((name) => existsSync(join(own, name)))
}
