import { join } from 'node:path'
import { codePoints } from '../../../kernel/domain/text.ts'
import { isSnapshotFile } from '../../domain/record-path.ts'
import { type SnapshotDelta, editOf } from '../../domain/snapshot/delta.ts'
import { prunable } from '../../domain/snapshot/retention.ts'
import { type SnapshotInfo, tokensOf } from '../../domain/snapshot/snapshot.ts'
import { decodeOrSkip, sha256 } from '../record-text.ts'
import type { PackTail, SnapshotCache } from './decision-index/index.ts'
import type { PackHead } from './head.ts'
import { endOf, stampOf } from './record-file.ts'
import type { RecordFolder } from './record-folder.ts'
import { PACK, type PackEntry, packLine, remakePack, standsAlone, unpack, wholeDelta } from './snapshot-pack.ts'
import type { FileShelf } from './snapshot-store.ts'

// Pruning reads the whole pack, so it is considered only once every 64 snapshots, and done if it frees a quarter.
const LOOK_EVERY = 64
const WORTH_IT = 0.25

export interface CaptureRequest {
  readonly trigger: string
  readonly detail: string
  readonly now: Date
  /** The change to be committed: new texts, undefined for deleted files. */
  readonly texts: ReadonlyMap<string, string | undefined>
  /** The same files on disk before the change. */
  readonly before: ReadonlyMap<string, string | undefined>
}

export interface Capture {
  /** Either a line to append or, after pruning, the whole pack. */
  readonly append: { readonly path: string; readonly offset: number; readonly text: string } | undefined
  readonly rewrite: string | undefined
  /** The end of the pack after the change. */
  readonly end: PackHead
  /** Caches the captured state, after the change is committed. */
  remember(): void
}

/** The entry that the next one may build on, and the highest version so far. */
interface Tail extends PackTail {
  readonly highest: number
}

export interface CaptureParts {
  readonly folder: RecordFolder
  readonly cache: SnapshotCache
  readonly shelf: FileShelf
  /** The end of the pack when it was last written here. */
  readonly known: PackHead | undefined
}

/**
 * The record after a change, as one line for the pack. Reads only files that changed since the last snapshot. The index
 * is up to date and the lock held.
 */
export async function capture(parts: CaptureParts, request: CaptureRequest): Promise<Capture> {
  const { cache, folder, shelf } = parts
  const tail = await tailOf(parts)
  const changed = await changedSince(parts, request)
  const info = await describe(parts, request, tail)
  const alone = tail === undefined || standsAlone(tail)
  const pruned = info.version % LOOK_EVERY === 0 ? await prune(shelf, [info, tail], request.now) : undefined
  const place = endOf(folder.files, PACK)
  const prev = pruned?.end ?? (await endOfPack(parts, place))
  const line = alone
    ? packLine(info, { base: null, delta: wholeDelta(await allTexts(folder, request.texts)), prev })
    : packLine(info, { base: tail.version, delta: deltaOf(changed), prev })
  const next = alone
    ? { whole: line.length, since: 0 }
    : { whole: (pruned ?? tail).whole, since: (pruned ?? tail).since + line.length }
  const hashes = new Map(changed.map(({ path, text }) => [path, text === undefined ? null : sha256(text)]))
  const remember = () =>
    cache.captured(hashes, stampOf(join(folder.root, PACK)) ?? '', { version: info.version, ...next })
  const text = pruned === undefined && !place.closed ? `\n${line}` : line
  const rewrite = pruned && pruned.text + line
  const end = {
    size: rewrite === undefined ? place.size + Buffer.byteLength(text) : Buffer.byteLength(rewrite),
    end: sha256(line.slice(0, -1)),
  }
  return {
    append: rewrite === undefined ? { path: PACK, offset: place.size, text } : undefined,
    rewrite,
    end,
    remember,
  }
}

/** The hash that the next line pins. A pack that changed since it was last written here is read as a whole. */
async function endOfPack(
  { shelf, known }: CaptureParts,
  { size, closed }: { size: number; closed: boolean },
): Promise<string> {
  return known?.size === size && closed ? known.end : ((await shelf.pack()).ends.at(-1) ?? '')
}

interface Changed {
  readonly path: string
  /** Undefined for a deleted file. */
  readonly text: string | undefined
  /** The text of the last snapshot, if available. */
  readonly old: string | undefined
}

/**
 * Files that differ from the last snapshot: those of this change, and any others that were edited, added or removed.
 */
async function changedSince({ cache, folder }: CaptureParts, { texts, before }: CaptureRequest): Promise<Changed[]> {
  const known = [...cache.changedDecisions(), ...cache.otherFiles()]
  const paths = new Set([...known, ...(await folder.names('', '.md')), ...[...texts.keys()].filter(isSnapshotFile)])
  const changed: Changed[] = []
  for (const path of paths) {
    const text = texts.has(path) ? texts.get(path) : await readOrSkip(folder, path)
    const last = cache.hashOf(path)
    if (last === (text === undefined ? undefined : sha256(text))) continue
    const old = before.get(path)
    changed.push({ path, text, old: old !== undefined && sha256(old) === last ? old : undefined })
  }
  return changed
}

function deltaOf(changed: readonly Changed[]): SnapshotDelta {
  const set: Record<string, string> = {}
  const edit: Record<string, readonly [number, number, string]> = {}
  for (const { path, text, old } of changed) {
    if (text === undefined) continue
    if (old === undefined) set[path] = text
    else edit[path] = editOf(old, text)
  }
  return { set, edit, gone: changed.filter(({ text }) => text === undefined).map(({ path }) => path) }
}

async function describe(
  { cache, folder, shelf }: CaptureParts,
  request: CaptureRequest,
  tail: Tail | undefined,
): Promise<SnapshotInfo> {
  let { characters, count: decisions } = cache.decisionsOnDisk()
  for (const path of await folder.names('', '.md'))
    if (!request.texts.has(path)) characters += codePoints((await readOrSkip(folder, path)) ?? '')
  for (const [path, text] of request.texts) {
    if (!isSnapshotFile(path)) continue
    const old = request.before.get(path)
    if (path.startsWith('decisions/')) decisions += Number(text !== undefined) - Number(old !== undefined)
    characters += codePoints(text ?? '') - (path.startsWith('decisions/') ? codePoints(old ?? '') : 0)
  }
  return {
    version: Math.max(tail?.highest ?? (await shelf.pack()).highest, await newestPlain(folder)) + 1,
    timestamp: request.now.toISOString(),
    trigger: request.trigger,
    trigger_detail: request.detail,
    token_count: tokensOf(characters),
    decisions,
  }
}

const newestPlain = async (folder: RecordFolder): Promise<number> =>
  (await folder.names('snapshots', '.json')).reduce(
    (most, name) => Math.max(most, Number(/^v(\d+)\.json$/.exec(name)?.[1] ?? 0)),
    0,
  )

/**
 * The end of the pack. If the pack changed since this cache was written, its last snapshot is unpacked and becomes the
 * captured state.
 */
async function tailOf({ cache, folder, shelf }: CaptureParts): Promise<Tail | undefined> {
  const stamp = stampOf(join(folder.root, PACK))
  if (stamp === undefined) {
    cache.replace(new Map())
    return undefined
  }
  const known = cache.tail(stamp)
  if (known !== undefined) return { ...known, highest: known.version }
  const { entries, damaged, highest } = await shelf.pack()
  const last = entries.length - 1
  const texts = last < 0 ? undefined : unpackOrNone(entries, last)
  cache.replace(new Map([...(texts ?? [])].map(([path, text]) => [path, sha256(text)])))
  // After damage the next snapshot is standalone, so that it can be read whatever precedes it.
  if (texts === undefined) return undefined
  const alone = entries.findLastIndex((entry) => entry.base === null)
  const sizes = entries.slice(alone).map((entry) => JSON.stringify(entry).length + 1)
  return {
    version: entries[last]!.version,
    highest,
    whole: sizes[0]!,
    since: damaged.length > 0 ? Infinity : sizes.slice(1).reduce((sum, size) => sum + size, 0),
  }
}

function unpackOrNone(entries: readonly PackEntry[], at: number): Map<string, string> | undefined {
  try {
    return unpack(entries, at)
  } catch {
    return undefined
  }
}

/** Never drops the entry that the next one builds on, regardless of its age. */
async function prune(shelf: FileShelf, [next, last]: readonly [SnapshotInfo, Tail | undefined], now: Date) {
  const { entries, damaged } = await shelf.pack()
  const dropped = new Set(prunable([...(await shelf.list()), next], now))
  if (last !== undefined) dropped.delete(last.version)
  const ours = entries.filter((entry) => dropped.has(entry.version)).length
  return damaged.length > 0 || ours < entries.length * WORTH_IT || ours === 0
    ? undefined
    : remakePack(entries, (entry, texts) => (dropped.has(entry.version) ? undefined : { info: entry, texts }))
}

async function allTexts(
  folder: RecordFolder,
  changes: ReadonlyMap<string, string | undefined>,
): Promise<Map<string, string>> {
  const paths = [
    ...(await folder.names('', '.md')),
    ...(await folder.names('decisions', '.md')).map((name) => `decisions/${name}`),
  ]
  const texts = new Map<string, string>()
  for await (const [path, bytes] of folder.readListed(paths.filter((p) => !changes.has(p)))) {
    const text = decodeOrSkip(bytes, path)
    if (text !== undefined) texts.set(path, text)
  }
  for (const [path, text] of changes) if (text !== undefined && isSnapshotFile(path)) texts.set(path, text)
  return texts
}

/** A file that is not text cannot be captured; it is reported elsewhere and must not stop a change. */
async function readOrSkip(folder: RecordFolder, path: string): Promise<string | undefined> {
  return folder.readText(path).catch(() => undefined)
}
