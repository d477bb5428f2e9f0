import { plural } from '../../../kernel/domain/text.ts'
import { HASHES } from '../../domain/files.ts'
import { healed, isBoth, isBroken, rebuiltHashes, type KnownVersions } from '../../domain/heal-joined.ts'
import { rejoinJournal } from '../../domain/journal/merge-journal.ts'
import { joinedStates, mendMerged, type JoinedState, type MergeRepair } from '../../domain/merge-repair.ts'
import type { RecordFiles } from '../../domain/merge.ts'
import type { Draft } from '../../ports/store.ts'
import { JOURNAL } from '../judge-journal.ts'
import { decodeOrSkip, sha256 } from '../record-text.ts'
import { makeWritable } from './commit.ts'
import { pastStates, publishedIn } from './git-copies.ts'
import type { RecordFolder } from './record-folder.ts'
import { recover } from './recovery.ts'
import type { SettleParts } from './settle-merge.ts'
import { land } from './transaction.ts'

/** Rebuilds a single journal from git's text merge, as Ken's merge driver would have. */
export async function rejoin({ store, folder, scratch, lock, lockTimeoutMs, clock }: SettleParts): Promise<boolean> {
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

// Each repair takes several git calls, and the process that opens the record waits.
const MOST_MENDED = 200

/** Settles text conflicts and duplicate numbers that git left in the files. */
export async function mendFiles({ store, folder }: SettleParts, draft: Draft): Promise<string[]> {
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
  return toldOf(await mendMerged([...paths], events, { draft, publishedIn: () => publishedIn(folder.root) }), whole)
}

/** Undefined for a valid text, and for a conflict that only a person can settle. */
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

/** The journal has the hashes of the texts, and git has the texts. */
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

/**
 * A file name is untrusted text, and these lines are Ken's: for a name that Ken would not have given, only the number
 * is shown.
 */
const shown = (stem: string): string =>
  /^[0-9]+-[\p{L}\p{N}-]{1,64}$/u.test(stem) ? stem : (/^[0-9]+/.exec(stem)?.[0] ?? 'a decision')

/** Summary line of the repairs; empty if git merged everything. */
function toldOf({ renumbered, ambiguous, conflicts }: MergeRepair, whole: readonly string[]): string[] {
  const lines = [
    ...renumbered.map(({ from, to }) => `${shown(from)} is now ${shown(to)}`),
    ...(whole.length === 0 ? [] : [`joined ${whole.join(', ')}`]),
    ...conflicts,
    ...(ambiguous.length === 0
      ? []
      : [`${plural(ambiguous.length, 'reference')} may mean either: see \`ken journal\``]),
  ]
  return lines.length === 0 ? [] : [`Settled a merge of the record: ${lines.join('; ')}. Commit .ken/record.`]
}
