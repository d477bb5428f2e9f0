import { AppError } from '../kernel/domain/errors.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import { orStopped, throwIfStopped } from '../kernel/domain/stop.ts'
import { plural } from '../kernel/domain/text.ts'
import { messageOf, type Build, type Failure, type SourceReport } from './build.ts'
import { canWait, dueReason, minds, type DueReason } from './domain/context-project/due-items.ts'
import { entryKey, type ManifestEntry } from './domain/context-project/manifest.ts'
import { fitsName } from './domain/context-project/name-glob.ts'
import { distinctPaths } from './domain/context-project/safe-segment.ts'
import type { SourceEntry } from './ports/context-project.ts'
import type { Source, SourceItem } from './ports/source.ts'
import { keepStale, removeGone, syncItem } from './sync-item.ts'

/** Syncs one source from listing to the last file. Failures are recorded; nothing is thrown. */
export async function syncSource(
  entry: SourceEntry,
  globs: readonly string[] | undefined,
  build: Build,
): Promise<SourceReport> {
  const started = performance.now()
  const own = [...build.manifest.values()].filter(
    (known) => known.source === entry.key && isSelected(known.title, globs),
  )
  const report = { source: entry.key, listed: 0, written: 0, unchanged: 0, removed: 0, failed: 0, milliseconds: 0 }
  const done = (more: Partial<SourceReport>): SourceReport => ({
    ...report,
    ...more,
    milliseconds: Math.round(performance.now() - started),
  })
  let source: Source | undefined
  let failed: string | undefined
  try {
    source = await orStopped(entry.open(build.signal), build.signal)
    const listing = await orStopped(source.list(), build.signal)
    build.notes.skipped.push(
      ...listing.skipped.map(({ title, reason }) => ({ source: entry.key, item: title, message: reason })),
    )
    build.notes.examples.push(...(listing.examples ?? []))
    const items = placed(entry.key, listing.items, build).filter((item) => isSelected(item.title, globs))
    const due = await dueItems(entry.key, source, { items, build })
    const outcome = await fetchAll(entry, source, { due, build })
    throwIfStopped(build.signal)
    const listed = new Set(items.map((item) => item.id))
    const removed = await removeGone(
      own.filter((known) => !listed.has(known.item)),
      build,
    )
    await tellLacking(entry.key, build)
    const { left, ...counts } = outcome
    if (left > 0) build.notes.skipped.push(leftOver(entry.key, left))
    return done({
      listed: items.length,
      unchanged: items.length - counts.written - counts.failed - left,
      removed,
      ...counts,
      ...billedBy(source, due, build),
    })
  } catch (thrown) {
    if (build.signal?.aborted) return done({})
    const error = await messageOf(thrown, build)
    failed = error
    build.notes.failures.push({ source: entry.key, item: '', message: error })
    // A forbidden source does not show whether files that came with a clone are stale.
    const isRefused = source === undefined && thrown instanceof AppError && thrown.code === 'forbidden'
    if (!isRefused) for (const known of own) await keepStale(known, error, build)
    return done({ error, failed: own.length })
  } finally {
    build.progress.ended(entry.key, failed)
    await source?.close().catch(() => undefined)
  }
}

async function fetchAll(
  entry: SourceEntry,
  source: Source,
  { due, build }: { due: readonly DueItem[]; build: Build },
): Promise<{ written: number; failed: number; left: number }> {
  if (!build.write) return { written: due.length, failed: 0, left: 0 }
  let [written, failed, left] = [0, 0, 0]
  build.progress.listed(entry.key, due.length)
  await Promise.all(
    due.map(({ item, reason, data }) =>
      build.limit(async () => {
        if (build.signal?.aborted) return
        const outcome =
          canWait(reason) && source.used?.().isSpent === true
            ? 'left'
            : await syncItem(entry.key, source, { item, data, build })
        if (outcome === 'written') written++
        if (outcome === 'failed') failed++
        if (outcome === 'left') left++
        build.progress.fetched(entry.key, item.title)
      }),
    ),
  )
  return { written, failed, left }
}

const leftOver = (source: string, left: number): Failure => ({
  source,
  item: `${source}: ${plural(left, 'table')}`,
  message: 'the time for profiling (`profiling.total_seconds`) is used up; the next sync continues with them.',
})

/** Bytes that an engine has billed, or will bill at most. */
function billedBy(source: Source, due: readonly DueItem[], { write }: Build): { billed_bytes?: number } {
  const bytes = write
    ? (source.used?.().billedBytes ?? 0)
    : due.reduce((sum, { item }) => sum + (item.billedBytes ?? 0), 0)
  return bytes === 0 ? {} : { billed_bytes: bytes }
}

/** Assigns a unique path to every item, across all sources. */
function placed(source: string, items: readonly SourceItem[], { taken }: Build): readonly SourceItem[] {
  const paths = distinctPaths(items)
  return items.map((item) => {
    const wanted = paths.get(item.id)!
    const isFree = (taken.get(wanted.toLowerCase()) ?? source) === source
    const path = isFree ? wanted : `${wanted}~${sha256(source).slice(0, 8)}`
    taken.set(path.toLowerCase(), source)
    return { ...item, path }
  })
}

interface DueItem {
  readonly item: SourceItem
  readonly reason: DueReason
  /** Current state of its data. */
  readonly data: ManifestEntry['data']
}

/** Unread items first, then the items read longest ago: items that do not fit into the time limit wait. */
async function dueItems(
  source: string,
  opened: Source,
  { items, build }: { items: readonly SourceItem[]; build: Build },
): Promise<readonly DueItem[]> {
  const reasons = await Promise.all(items.map((item) => dueItem(source, opened, { item, build })))
  const due = reasons.filter((one) => one !== undefined)
  build.notes.due.push(...due.map(({ item, reason }) => ({ source, item: item.title, reason })))
  const readAt = ({ item, reason }: DueItem): string =>
    canWait(reason) ? (build.manifest.get(entryKey(source, item.id))?.checked_at ?? '') : ''
  return due.toSorted((a, b) => (readAt(a) < readAt(b) ? -1 : readAt(a) > readAt(b) ? 1 : 0))
}

async function dueItem(
  source: string,
  opened: Source,
  { item, build }: { item: SourceItem; build: Build },
): Promise<DueItem | undefined> {
  const now = build.now()
  const before = build.manifest.get(entryKey(source, item.id))
  const data = item.data?.goodFor === undefined ? undefined : { mark: item.data.mark }
  const plain = build.force ? 'forced' : (dueReason(item, before, now) ?? (await fileReason(before, build)))
  if (plain !== undefined || before === undefined) return { item, reason: plain ?? 'new', data }
  if (minds(item, before, now) && !(item.data!.mark !== undefined && item.data!.mark === before.data?.mark)) {
    const look = await lookAt(opened, item, build)
    const seen = { ...data, ...(look !== undefined && { look }) }
    const isSame = look === undefined ? item.data!.mark === undefined : look === before.data?.look
    if (!isSame) return { item, reason: 'data', data: seen }
    // Recorded, so that the next sync need not check again.
    build.manifest.set(entryKey(source, item.id), { ...before, data: seen })
  }
  // Work for a sync, but not a problem for a check: the files are as good as the last sync could make them.
  if (build.check || !(item.always || before.unprofiled)) return undefined
  return { item, reason: item.always ? 'aged' : 'unprofiled', data }
}

/** A table that cannot be inspected is fetched, which reports why. */
const lookAt = (source: Source, item: SourceItem, { limit, signal }: Build): Promise<string | undefined> =>
  limit(() => orStopped(source.look?.(item) ?? Promise.resolve(undefined), signal)).catch(() => undefined)

async function fileReason(
  entry: ManifestEntry | undefined,
  { project, writer }: Build,
): Promise<DueReason | undefined> {
  // An unreadable file counts as missing.
  const sizes = await Promise.all(
    (entry?.files ?? []).map((file) => project.tree.size(file.path).catch(() => undefined)),
  )
  if (sizes.some((size) => size === undefined)) return 'missing'
  return entry?.lacks !== undefined && (await writer.isSet()) ? 'unwritten' : undefined
}

/** Adds one note for a whole source, in every run until a model is set. */
async function tellLacking(source: string, { manifest, notes, writer }: Build): Promise<void> {
  const lacking = [...manifest.values()].find((known) => known.source === source && known.lacks !== undefined)
  if (lacking === undefined || (await writer.isSet())) return
  notes.skipped.push({
    source,
    item: `${source} ${lacking.lacks!.join(', ')}`,
    message:
      'needs a language model; set one with `ken config set model.name ollama:<model>`, or take it out of `documents`.',
  })
}

const isSelected = (title: string, globs: readonly string[] | undefined): boolean =>
  globs === undefined || globs.some((glob) => fitsName(title, glob))
