import { dueReason, type DueReason } from '../core/context-project/due-items.ts'
import { entryKey, type ManifestEntry } from '../core/context-project/manifest.ts'
import { fitsName } from '../core/context-project/name-glob.ts'
import { distinctPaths } from '../core/context-project/safe-segment.ts'
import { AppError } from '../core/errors.ts'
import { sha256 } from '../core/sha256.ts'
import { orStopped, throwIfStopped } from '../core/stop.ts'
import type { SourceEntry } from '../ports/context-project.ts'
import type { Source, SourceItem } from '../ports/source.ts'
import { messageOf, type Build, type SourceReport } from './build.ts'
import { keepStale, removeGone, syncItem } from './sync-item.ts'

/** One source from listing to the last file. Whatever fails is noted; nothing is thrown. */
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
  try {
    source = await orStopped(entry.open(build.signal), build.signal)
    const listing = await orStopped(source.list(), build.signal)
    build.notes.skipped.push(
      ...listing.skipped.map(({ title, reason }) => ({ source: entry.key, item: title, message: reason })),
    )
    build.notes.examples.push(...(listing.examples ?? []))
    const items = placed(entry.key, listing.items, build).filter((item) => isSelected(item.title, globs))
    const due = await dueItems(entry.key, items, build)
    const outcome = await fetchAll(entry, source, { due, build })
    throwIfStopped(build.signal)
    const listed = new Set(items.map((item) => item.id))
    const removed = await removeGone(
      own.filter((known) => !listed.has(known.item)),
      build,
    )
    await tellLacking(entry.key, build)
    return done({
      listed: items.length,
      unchanged: items.length - outcome.written - outcome.failed,
      removed,
      ...outcome,
    })
  } catch (thrown) {
    if (build.signal?.aborted) return done({})
    const error = await messageOf(thrown, build)
    build.notes.failures.push({ source: entry.key, item: '', message: error })
    // What may not be opened says nothing about the age of what a clone brought along.
    const isRefused = source === undefined && thrown instanceof AppError && thrown.code === 'forbidden'
    if (!isRefused) for (const known of own) await keepStale(known, error, build)
    return done({ error, failed: own.length })
  } finally {
    build.progress.ended(entry.key)
    await source?.close().catch(() => undefined)
  }
}

async function fetchAll(
  entry: SourceEntry,
  source: Source,
  { due, build }: { due: readonly DueItem[]; build: Build },
): Promise<{ written: number; failed: number }> {
  if (!build.write) return { written: due.length, failed: 0 }
  let [written, failed] = [0, 0]
  build.progress.listed(entry.key, due.length)
  await Promise.all(
    due.map(({ item }) =>
      build.limit(async () => {
        if (build.signal?.aborted) return
        const outcome = await syncItem(entry.key, source, { item, build })
        if (outcome === 'written') written++
        if (outcome === 'failed') failed++
        build.progress.fetched(entry.key, item.title)
      }),
    ),
  )
  return { written, failed }
}

/** Gives every item a place of its own, also against other sources. */
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
}

async function dueItems(source: string, items: readonly SourceItem[], build: Build): Promise<readonly DueItem[]> {
  const now = build.now()
  const reasons = await Promise.all(
    items.map(async (item) => {
      const before = build.manifest.get(entryKey(source, item.id))
      const reason = build.force ? 'forced' : (dueReason(item, before, now) ?? (await fileReason(before, build)))
      return reason === undefined ? [] : [{ item, reason }]
    }),
  )
  const due = reasons.flat()
  build.notes.due.push(...due.map(({ item, reason }) => ({ source, item: item.title, reason })))
  return due
}

async function fileReason(
  entry: ManifestEntry | undefined,
  { project, writer }: Build,
): Promise<DueReason | undefined> {
  // A file that cannot be looked at counts as missing.
  const sizes = await Promise.all(
    (entry?.files ?? []).map((file) => project.tree.size(file.path).catch(() => undefined)),
  )
  if (sizes.some((size) => size === undefined)) return 'missing'
  return entry?.lacks !== undefined && (await writer.isSet()) ? 'unwritten' : undefined
}

/** One line for a whole source, in every run until a model is set. */
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
