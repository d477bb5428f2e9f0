import { createHash } from 'node:crypto'
import type { Origin } from '../../../kernel/domain/origin.ts'
import { HASHES } from '../../domain/files.ts'
import { formatEvent } from '../../domain/journal/journal-lines.ts'
import { rewriteJournal } from '../../domain/journal/rewrite-journal.ts'
import { makeSnapshot, serializeSnapshot, type Snapshot } from '../../domain/snapshot/snapshot.ts'
import type { Rewriting, Rewritten } from '../../ports/store.ts'
import { JOURNAL } from '../judge-journal.ts'
import { decodeOrSkip, sha256 } from '../record-text.ts'
import type { CommitParts } from './commit.ts'
import type { Seen } from './head.ts'
import { seenJournal } from './inspect-journal.ts'
import { parseJournal } from './journal-file.ts'
import { parsePlainSnapshot, plainNames } from './plain-snapshot.ts'
import { toRecordFailure } from './record-failure.ts'
import { recover } from './recovery.ts'
import { PACK, remakePack, walkPack } from './snapshot-pack.ts'
import { hashOf, land } from './transaction.ts'

/** The complete result of a rewrite, before it is applied. */
interface Remade {
  readonly writes: ReadonlyMap<string, string>
  readonly removes: readonly string[]
  readonly dropped: number
  readonly seen: Seen
}

/** Rewrites every text of the record and commits the result in one transaction. The lock is held. */
export async function rewriteRecord(parts: CommitParts, origin: Origin, rewriting: Rewriting): Promise<Rewritten> {
  const { folder, scratch, index, clock, head } = parts
  try {
    recover(folder.files, scratch)
  } catch (error) {
    throw toRecordFailure(error, 'finish an interrupted change')
  }
  const { writes, removes, dropped, seen } = await remake(parts, origin, rewriting)
  if (writes.size > 0) {
    const known = head.read()
    head.keep({ seen: known?.seen ?? seen, next: seen, lost: [] })
    const { files } = folder
    land(files, scratch, {
      id: clock.ulid(),
      writes: [...writes].map(([path, text]) => ({ path, text, before: hashOf(files, path) })),
      removes: removes.map((path) => ({ path, before: hashOf(files, path)! })),
      appends: [],
    })
    head.keep({ seen, lost: [] })
  }
  // Even if nothing was left to write: a killed run may have got this far.
  await index.renew()
  return { files: [...writes.keys()], dropped }
}

/** Passes every text that a rewrite would change to `look`. */
export async function readThrough(
  parts: CommitParts,
  look: (text: string, path: string) => Promise<void>,
): Promise<void> {
  await remake(
    parts,
    { surface: 'repair' },
    { operation: '', facts: {}, rename: (path) => path, change: async (text, path) => (await look(text, path), text) },
  )
}

async function remake(
  parts: CommitParts,
  origin: Origin,
  { change, rename, operation, facts }: Rewriting,
): Promise<Remade> {
  const { folder, clock } = parts
  const rehashed = new Map<string, string>()
  const changed = memo(async (text, path) => {
    const next = await change(text, path)
    if (next !== text) rehashed.set(sha256(text), sha256(next))
    return next
  })
  const files = await remakeFiles(parts, { changed, rename, rehashed })
  const pack = await remakeSnapshots(parts, { changed, rename })
  const plain = await remakePlain(parts, { changed, rename })
  const journal = (await folder.readBytes(JOURNAL))?.toString('utf8') ?? ''
  const before = journal.split('\n').filter((line) => line !== '')
  const lines = await rewriteJournal(before, {
    change: (text) => changed(text, JOURNAL),
    rename,
    rehash: (hash) => rehashed.get(hash) ?? hash,
    sha256,
  })
  const isChanged =
    files.writes.size + plain.size > 0 ||
    pack !== undefined ||
    lines.length !== before.length ||
    lines.some((line, at) => line !== before[at])
  const under = parseJournal(Buffer.from(lines.map((line) => `${line}\n`).join('')))
  const last = under.events.at(-1)
  const event = formatEvent({
    event_version: 1,
    id: clock.uuid(),
    at: clock.now().toISOString(),
    operation,
    origin,
    facts,
    // Old file names are left out: they were changed because of the text that they contain.
    files: Object.fromEntries([...files.writes].map(([path, text]) => [path, sha256(text)])),
    ...(last === undefined ? {} : { after: [last.id] }),
    pins: seenJournal(under).tips,
  })
  const text = [...lines.map((line) => `${line}\n`), event].join('')
  const writes = isChanged
    ? new Map([...files.writes, ...plain, ...(pack === undefined ? [] : [[PACK, pack.text] as const]), [JOURNAL, text]])
    : new Map<string, string>()
  return {
    writes,
    removes: files.removes,
    dropped: pack?.dropped ?? 0,
    seen: await seenWith(parts, { journal: text, pack: pack?.text, plain }),
  }
}

type Changed = (text: string, path: string) => Promise<string>

async function remakeFiles(
  { folder }: CommitParts,
  { changed, rename, rehashed }: { changed: Changed; rename: Rewriting['rename']; rehashed: Map<string, string> },
) {
  const writes = new Map<string, string>()
  const removes: string[] = []
  for (const path of [...(await folder.list()), HASHES]) {
    const bytes = await folder.readBytes(path)
    const text = bytes && decodeOrSkip(bytes, path)
    if (text === undefined) continue
    const [next, name] = [await changed(text, path), rename(path)]
    if (next === text && name === path) continue
    rehashed.set(sha256(bytes!), sha256(next))
    writes.set(name, next)
    if (name !== path) removes.push(path)
  }
  return { writes, removes }
}

/**
 * Undefined if no snapshot changes. Unreadable ones may contain anything, so they are dropped when others are
 * rewritten.
 */
async function remakeSnapshots(
  { shelf }: CommitParts,
  { changed, rename }: { changed: Changed; rename: Rewriting['rename'] },
) {
  const { entries, damaged } = await shelf.pack()
  const made = new Map<string, string>()
  const keyed = (text: string, path: string) => `${path}\0${sha256(text)}`
  let isChanged = false
  for (const { entry, texts } of walkPack(entries)) {
    for (const [text, path] of [
      [entry.trigger, PACK],
      [entry.trigger_detail, PACK],
      ...[...(texts ?? [])].map(([name, said]) => [said, name] as const),
    ] as const) {
      if (made.has(keyed(text, path))) continue
      const next = await changed(text, path)
      made.set(keyed(text, path), next)
      isChanged ||= next !== text
    }
    isChanged ||= [...(texts?.keys() ?? [])].some((path) => rename(path) !== path)
  }
  if (!isChanged) return undefined
  let kept = 0
  const pack = remakePack(entries, (entry, texts) => {
    kept++
    const files = new Map([...texts].map(([path, text]) => [rename(path), made.get(keyed(text, path)) ?? text]))
    const told = {
      trigger: made.get(keyed(entry.trigger, PACK)) ?? entry.trigger,
      trigger_detail: made.get(keyed(entry.trigger_detail, PACK)) ?? entry.trigger_detail,
    }
    const { token_count } = makeSnapshot({ ...entry, files: Object.fromEntries(files) })
    return { info: { ...entry, ...told, token_count }, texts: files }
  })
  return { text: pack.text, dropped: entries.length - kept + damaged.length }
}

async function remakePlain(
  { folder }: CommitParts,
  { changed, rename }: { changed: Changed; rename: Rewriting['rename'] },
): Promise<Map<string, string>> {
  const writes = new Map<string, string>()
  for (const { name, version } of await plainNames(folder)) {
    const path = `snapshots/${name}`
    const bytes = await folder.readBytes(path)
    const snapshot = bytes && parsePlainSnapshot(bytes, version)
    if (bytes === undefined) continue
    const before = bytes.toString('utf8')
    const after =
      snapshot === undefined
        ? await changed(before, path)
        : ((await remakeOne(snapshot, { changed, rename, path })) ?? before)
    if (before !== after) writes.set(path, after)
  }
  return writes
}

/** Undefined if the snapshot does not change: then its bytes stay as they are, whichever program wrote them. */
async function remakeOne(
  snapshot: Snapshot,
  { changed, rename, path }: { changed: Changed; rename: Rewriting['rename']; path: string },
): Promise<string | undefined> {
  const files: Record<string, string> = {}
  for (const [name, text] of Object.entries(snapshot.files)) files[rename(name)] = await changed(text, name)
  const next = makeSnapshot({
    ...snapshot,
    trigger: await changed(snapshot.trigger, path),
    trigger_detail: await changed(snapshot.trigger_detail, path),
    files,
  })
  const said = ({ trigger, trigger_detail, files: texts }: Snapshot) => JSON.stringify([trigger, trigger_detail, texts])
  return said(next) === said(snapshot)
    ? undefined
    : serializeSnapshot({ ...next, schema_version: snapshot.schema_version })
}

async function seenWith(
  { folder, shelf }: CommitParts,
  after: { journal: string; pack: string | undefined; plain: ReadonlyMap<string, string> },
): Promise<Seen> {
  const { ends, size } = await shelf.pack()
  const bytes = after.pack === undefined ? undefined : Buffer.from(after.pack)
  const pack =
    bytes === undefined
      ? ends.length === 0
        ? undefined
        : { size, end: ends.at(-1)! }
      : {
          size: bytes.length,
          end: sha256(bytes.subarray(bytes.lastIndexOf(0x0a, bytes.length - 2) + 1, bytes.length - 1)),
        }
  const plain: Record<string, string> = {}
  for (const { name } of await plainNames(folder)) {
    const path = `snapshots/${name}`
    plain[name] = sha256(after.plain.get(path) ?? (await folder.readBytes(path)) ?? '')
  }
  return { journal: seenJournal(parseJournal(Buffer.from(after.journal))), ...(pack && { pack }), plain }
}

/** Changes each text once, however many snapshots have it. */
function memo(change: Changed): Changed {
  const known = new Map<string, Promise<string>>()
  return (text, path) => {
    const key = createHash('sha256').update(`${path}\0${text}`).digest('base64')
    if (!known.has(key)) known.set(key, change(text, path))
    return known.get(key)!
  }
}
