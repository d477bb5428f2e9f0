import { decisionPath, HASHES } from '../../core/record/files.ts'
import { isEmpty, openDraft, type Changes } from '../../core/record/draft.ts'
import { inListOrder } from '../../core/record/record-path.ts'
import type { JournalEvent, Origin } from '../../core/journal/event.ts'
import { formatEvent } from '../../core/journal/journal-lines.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Draft } from '../../ports/store.ts'
import type { DecisionIndex } from './decision-index.ts'
import { isDatabaseFault, toRecordFailure } from './fs-failure.ts'
import { sha256, type Intent } from './intent.ts'
import { JOURNAL, journalEnd } from './journal-file.ts'
import { decodeOrSkip, type RecordFolder } from './record-folder.ts'
import { recover } from './recovery.ts'
import { capture, type Capture, type CaptureRequest } from './snapshot-capture.ts'
import { PACK } from './snapshot-pack.ts'
import type { Scratch } from './scratch.ts'
import type { FileShelf } from './snapshot-shelf.ts'
import { hashOf, land, notRecorded } from './transaction.ts'

export interface CommitParts {
  readonly folder: RecordFolder
  readonly scratch: Scratch
  readonly index: DecisionIndex
  readonly shelf: FileShelf
  readonly clock: Clock
}

/** Runs `work` on a draft and lands what comes of it. The lock is held. */
export async function commitWork<T>(parts: CommitParts, origin: Origin, work: (draft: Draft) => Promise<T>): Promise<T> {
  const { folder, scratch, index } = parts
  try {
    recover(folder.files, scratch)
  } catch (error) {
    throw toRecordFailure(error, 'finish an interrupted change')
  }
  const { catalogue } = await index.view()
  const { draft, finish } = openDraft({ read: (path) => folder.readText(path), catalogue: async () => catalogue })
  const result = await work(draft)
  const changes = finish()
  if (isEmpty(changes)) return result
  await commitChanges(parts, changes, origin).catch((error: unknown) => {
    throw notRecorded(error)
  })
  return result
}

/** Lands the changes of a draft with their journal event and snapshot, in one transaction. The index is up to date. */
async function commitChanges(parts: CommitParts, changes: Changes, origin: Origin): Promise<void> {
  const { folder, scratch, index, clock } = parts
  const { before, hashes } = await readAll(folder, changes.texts.keys())
  const texts = new Map([...changes.texts].filter(([path, text]) => text !== undefined || hashes.has(path)))
  const now = clock.now()
  const journal = await journalAppend(parts, { ...changes, texts }, { origin, now })
  const snapshot = changes.snapshot && (await captured(parts, { ...changes.snapshot, now, texts, before }))
  const writes = [...texts].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text, before: hashes.get(path) ?? null }]))
  const intent: Intent = {
    id: clock.ulid(),
    writes: snapshot?.rewrite === undefined ? writes : [...writes, { path: PACK, text: snapshot.rewrite, before: hashOf(folder.files, PACK) }],
    removes: [...texts].flatMap(([path, text]) => (text === undefined ? [{ path, before: hashes.get(path)! }] : [])),
    appends: [...(snapshot?.append === undefined ? [] : [snapshot.append]), journal],
  }
  land(folder.files, scratch, intent)
  await remember(index, [...texts.keys()], snapshot)
}

async function journalAppend({ folder, clock }: CommitParts, changes: Changes, made: { origin: Origin; now: Date }) {
  const { size, closed, last } = await journalEnd(folder)
  const event = (operation: string, files: JournalEvent['files'], facts: JournalEvent['facts']): JournalEvent => ({
    event_version: 1, id: clock.uuid(), at: made.now.toISOString(), operation, origin: made.origin, facts, files,
  })
  const adopted = last === undefined ? await presentFiles(folder) : {}
  const found = Object.keys(adopted).length
  const adoption = found === 0 ? undefined : event('adopt', adopted, { files: found })
  const after = adoption?.id ?? last?.id
  const files = Object.fromEntries(inListOrder(changes.texts.keys()).map((path) => [path, textHash(changes.texts.get(path))]))
  const change = event(changes.note?.operation ?? 'edit', files, changes.note?.facts ?? {})
  const lines = [...(adoption === undefined ? [] : [adoption]), { ...change, ...(after === undefined ? {} : { after: [after] }) }]
  return { path: JOURNAL, offset: size, text: (closed ? '' : '\n') + lines.map(formatEvent).join('') }
}

/** A record that came from elsewhere is taken over as it is; from then on the journal vouches for it. */
async function presentFiles(folder: RecordFolder): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for await (const [path, bytes] of folder.readListed([...(await folder.list()), HASHES])) hashes[path] = sha256(bytes)
  return hashes
}

/** A fault of the cache must not stop a change: it is made new, and the record captured from the files. */
async function captured({ folder, index, shelf }: CommitParts, request: CaptureRequest): Promise<Capture> {
  const attempt = () => capture({ folder, shelf, cache: index.cache }, request)
  try {
    return await attempt()
  } catch (error) {
    if (!isDatabaseFault(error)) throw toRecordFailure(error, 'capture the record')
    await index.renew()
    return attempt()
  }
}

/** What fails here is only derived: the next look at the record finds out by itself. */
async function remember(index: DecisionIndex, paths: readonly string[], snapshot: Capture | undefined): Promise<void> {
  try {
    await index.touched(paths.filter((path) => path === decisionPath(stemOf(path))).map(stemOf))
    snapshot?.remember()
  } catch {
    return
  }
}

const stemOf = (path: string): string => path.slice('decisions/'.length, -'.md'.length)

const textHash = (text: string | undefined): string | null => (text === undefined ? null : sha256(text))

async function readAll(folder: RecordFolder, paths: Iterable<string>): Promise<{ before: Map<string, string | undefined>; hashes: Map<string, string> }> {
  const before = new Map<string, string | undefined>()
  const hashes = new Map<string, string>()
  for (const path of paths) {
    const bytes = await folder.readBytes(path)
    if (bytes !== undefined) hashes.set(path, sha256(bytes))
    before.set(path, bytes && decodeOrSkip(bytes, path))
  }
  return { before, hashes }
}
