import { accessSync, constants, existsSync } from 'node:fs'
import type { Origin } from '../../../kernel/domain/origin.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { ProjectRef } from '../../../kernel/ports/projects.ts'
import { type Changes, isEmpty, openDraft } from '../../domain/draft.ts'
import { HASHES, decisionPath } from '../../domain/files.ts'
import { changeEvent, withAdoption } from '../../domain/journal/change-events.ts'
import { isToldOf, type TakingChange, takeLines } from '../../domain/journal/take-lines.ts'
import type { Draft } from '../../ports/store.ts'
import { JOURNAL } from '../judge-journal.ts'
import { decodeOrSkip, sha256 } from '../record-text.ts'
import type { DecisionIndex } from './decision-index/index.ts'
import type { HeadKeeper, Seen } from './head.ts'
import { judgeHead, seenJournal } from './inspect-journal.ts'
import { withNewPlain } from './inspect-snapshots.ts'
import type { Intent } from './intent.ts'
import { appendEvents } from './journal-append.ts'
import type { Appended, JournalParts } from './journal-append.ts'
import { readJournal, parseJournal } from './journal-file.ts'
import { ALL_IGNORED, ATTRIBUTES, RECORD_ATTRIBUTES, SNAPSHOTS_IGNORED } from './merge-driver.ts'
import { isDatabaseFault, toRecordFailure } from './record-failure.ts'
import type { RecordFolder } from './record-folder.ts'
import { recover } from './recovery.ts'
import type { Scratch } from './scratch.ts'
import { type Capture, type CaptureRequest, capture } from './snapshot-capture.ts'
import { PACK } from './snapshot-pack.ts'
import type { FileShelf } from './snapshot-store.ts'
import { hashOf, land, notRecorded } from './transaction.ts'

export interface CommitParts {
  readonly folder: RecordFolder
  readonly scratch: Scratch
  readonly index: DecisionIndex
  readonly shelf: FileShelf
  readonly clock: Clock
  readonly head: HeadKeeper
  readonly inRepository: boolean
}

/** Runs `work` on a draft and commits the result. The lock is held. */
export async function commitWork<T>(
  parts: CommitParts,
  origin: Origin,
  work: (draft: Draft) => Promise<T>,
): Promise<T> {
  const { folder, scratch, index } = parts
  try {
    recover(folder.files, scratch)
  } catch (error) {
    throw toRecordFailure(error, 'finish an interrupted change')
  }
  const catalogue = await index.catalogue()
  const { draft, finish } = openDraft({ read: (path) => folder.readText(path), catalogue: async () => catalogue })
  const result = await work(draft)
  const changes = finish()
  if (isEmpty(changes)) return result
  await commitChanges(parts, changes, origin).catch((error: unknown) => {
    throw notRecorded(error)
  })
  return result
}

/**
 * Commits the changes of a draft with their journal event and snapshot, in one transaction. The index is up to date.
 */
async function commitChanges(parts: CommitParts, changes: Changes, origin: Origin): Promise<void> {
  const { folder, scratch, index, clock, head } = parts
  const { before, hashes } = await readAll(folder, changes.texts.keys())
  const told = await stillTold(
    folder,
    [...changes.texts].filter(([path, text]) => text === undefined && !hashes.has(path)).map(([path]) => path),
    changes.taken,
  )
  const texts = new Map(
    [...changes.texts].filter(([path, text]) => text !== undefined || hashes.has(path) || told.has(path)),
  )
  const now = clock.now()
  const known = head.read()
  const plain = await withNewPlain(folder, known?.seen.plain ?? {})
  const journal = await journalled(
    parts,
    { ...changes, texts },
    { origin, now, found: parts.inRepository ? {} : newIn(plain, known?.seen.plain) },
  )
  const snapshot = changes.snapshot && (await captured(parts, { ...changes.snapshot, now, texts, before }))
  const seen = { ...(await seenAfter(parts, journal.end, snapshot)), plain }
  const writes = [...texts].flatMap(([path, text]) =>
    text === undefined ? [] : [{ path, text, before: hashes.get(path) ?? null }],
  )
  const intent: Intent = {
    id: clock.ulid(),
    writes: [
      ...writes,
      ...(snapshot?.rewrite === undefined
        ? []
        : [{ path: PACK, text: snapshot.rewrite, before: hashOf(folder.files, PACK) }]),
      ...(journal.rewrite === undefined ? [] : [journal.rewrite]),
    ],
    removes: [...texts].flatMap(([path, text]) =>
      text === undefined && hashes.has(path) ? [{ path, before: hashes.get(path)! }] : [],
    ),
    appends: [snapshot?.append, journal.append].filter((append) => append !== undefined),
  }
  if (snapshot?.rewrite !== undefined && known !== undefined)
    head.keep({ seen: known.seen, next: seen, lost: journal.lost })
  land(folder.files, scratch, intent)
  head.keep({ seen, lost: journal.lost })
  await remember(index, [...texts.keys()], snapshot)
}

async function journalled(
  { folder, clock, head, inRepository }: CommitParts,
  changes: Changes,
  made: { origin: Origin; now: Date; found: Record<string, string> },
): Promise<Appended> {
  const making = { origin: made.origin, at: made.now.toISOString(), id: () => clock.uuid(), sha256 }
  const change = changeEvent(making, changes, made.found)
  const eventsOn = async (isFirst: boolean) => withAdoption(making, change, isFirst ? await presentFiles(folder) : {})
  const parts = { folder, head, inRepository }
  return changes.taken.length === 0
    ? appendEvents(parts, eventsOn)
    : takeIntoJournal(parts, changes.taken, async (isFirst) => ({
        events: await eventsOn(isFirst),
        isNoted: changes.note !== undefined,
      }))
}

/** The ends of journal and snapshots after this change. */
async function seenAfter(
  { shelf, head }: CommitParts,
  journal: Seen['journal'],
  snapshot: Capture | undefined,
): Promise<Omit<Seen, 'plain'>> {
  const known = head.read()?.seen
  const { ends, size } =
    snapshot === undefined && known?.pack === undefined ? await shelf.pack() : { ends: [], size: 0 }
  const pack = snapshot?.end ?? known?.pack ?? (ends.length === 0 ? undefined : { size, end: ends.at(-1)! })
  return { journal, ...(pack && { pack }) }
}

/**
 * Plain-file snapshots not seen here before: the journal covers them from now on. Git does not contain them, so in a
 * repository each clone has its own.
 */
const newIn = (plain: Seen['plain'], known: Seen['plain'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(plain)
      .filter(([name]) => !(name in known))
      .map(([name, hash]) => [`snapshots/${name}`, hash]),
  )

async function presentFiles(folder: RecordFolder): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for await (const [path, bytes] of folder.readListed([...(await folder.list()), HASHES])) hashes[path] = sha256(bytes)
  return hashes
}

/** A fault in the cache must not prevent a change: the cache is rebuilt and the record captured from the files. */
async function captured({ folder, index, shelf, head }: CommitParts, request: CaptureRequest): Promise<Capture> {
  const attempt = () => capture({ folder, shelf, cache: index.snapshots, known: head.read()?.seen.pack }, request)
  try {
    return await attempt()
  } catch (error) {
    if (!isDatabaseFault(error)) throw toRecordFailure(error, 'capture the record')
    await index.renew()
    return attempt()
  }
}

/** A failure here only affects derived data: the next read detects it. */
async function remember(index: DecisionIndex, paths: readonly string[], snapshot: Capture | undefined): Promise<void> {
  try {
    await index.touched(paths.filter((path) => path === decisionPath(stemOf(path))).map(stemOf))
    snapshot?.remember()
  } catch {
    return
  }
}

async function stillTold(
  folder: RecordFolder,
  absent: readonly string[],
  taken: readonly string[],
): Promise<ReadonlySet<string>> {
  const events = absent.length === 0 ? [] : (await readJournal(folder)).events
  return new Set(absent.filter((path) => isToldOf(path, events, taken)))
}

const stemOf = (path: string): string => path.slice('decisions/'.length, -'.md'.length)

async function readAll(
  folder: RecordFolder,
  paths: Iterable<string>,
): Promise<{ before: Map<string, string | undefined>; hashes: Map<string, string> }> {
  const before = new Map<string, string | undefined>()
  const hashes = new Map<string, string>()
  for (const path of paths) {
    const bytes = await folder.readBytes(path)
    if (bytes !== undefined) hashes.set(path, sha256(bytes))
    before.set(path, bytes && decodeOrSkip(bytes, path))
  }
  return { before, hashes }
}

/** Creates the folders a change needs, or throws with the reason why it cannot. */
export function makeWritable(folder: RecordFolder, scratch: Scratch, mode: ProjectRef['mode']): void {
  try {
    scratch.makeFolder()
    if (!existsSync(folder.root)) folder.files.makeFolder('decisions')
    accessSync(folder.root, constants.W_OK)
    if (mode === 'repo') makeReadyForGit(folder)
  } catch (error) {
    throw toRecordFailure(error, `write to the record at ${folder.root}`)
  }
}

/**
 * Snapshots stay on this machine, because git already keeps the history of a record in a repository. Existing files
 * belong to the user.
 */
function makeReadyForGit({ files }: RecordFolder): void {
  for (const [path, text] of [
    [SNAPSHOTS_IGNORED, ALL_IGNORED],
    [ATTRIBUTES, RECORD_ATTRIBUTES],
  ] as const) {
    if (files.stat(path) === undefined) files.create(path, text)
  }
}

/**
 * Merges lines from another machine into the journal. Appends if all belong at the end; otherwise rewrites the journal.
 */
async function takeIntoJournal(
  { folder, head, inRepository }: JournalParts,
  taken: readonly string[],
  make: (isFirst: boolean) => Promise<TakingChange>,
): Promise<Appended> {
  const bytes = (await folder.readBytes(JOURNAL)) ?? Buffer.alloc(0)
  const here = parseJournal(bytes)
  const known = head.read()
  const { kind, gone } = await judgeHead(folder, here, { known: known?.seen.journal, inRepository })
  const lines = takeLines(here.lines, taken, await make(here.events.length === 0))
  const text = lines.map((line) => `${line.text}\n`).join('')
  const whole = Buffer.from(text)
  const isLonger = whole.subarray(0, bytes.length).equals(bytes)
  const more = whole.subarray(bytes.length).toString('utf8')
  return {
    append: isLonger && more !== '' ? { path: JOURNAL, offset: bytes.length, text: more } : undefined,
    ...(!isLonger && { rewrite: { path: JOURNAL, text, before: sha256(bytes) } }),
    end: seenJournal(parseJournal(whole)),
    lost: [...new Set([...(known?.lost ?? []), ...(kind === 'lost' ? gone : [])])],
  }
}
