import { orStopped } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import { messageOf, type Build } from './build.ts'
import { entryKey, type ManifestEntry } from './domain/context-project/manifest.ts'
import type { FetchedItem, Source, SourceItem } from './ports/source.ts'
import { redactTexts } from './table-sample.ts'
import { markStale, removeFiles, writeItem } from './write-item.ts'

/**
 * Syncs one item from its source into the tree: fetched, redacted, completed by a model if requested, and written.
 * Failures are recorded, and the old copy stays, marked as stale.
 */
export async function syncItem(
  key: string,
  source: Source,
  { item, data, build }: { item: SourceItem; data: ManifestEntry['data']; build: Build },
): Promise<'written' | 'same' | 'failed'> {
  const { manifest, notes, project } = build
  const before = manifest.get(entryKey(key, item.id))
  const started = performance.now()
  let claimed: ManifestEntry | undefined
  try {
    // Before the rows are read, so that a concurrent change is detected next time.
    const seen = await lookBefore(source, item, { data, build })
    const fetched = await redacted(await orStopped(source.fetch(item), build.signal), build)
    const written = await orStopped(build.writer.write(fetched.modelDocuments ?? [], item, before), build.signal)
    notes.failures.push(...written.failures.map((message) => ({ source: key, item: item.title, message })))
    const onClaim = (entry: ManifestEntry): void => void (claimed = { ...entry, unfinished: true })
    const result = await writeItem(
      { tree: project.tree, source: key, item, before, now: build.now().toISOString(), onClaim },
      { ...fetched, documents: [...fetched.documents, ...written.documents] },
    )
    manifest.set(entryKey(key, item.id), {
      ...result.entry,
      ...(written.lacks.length > 0 && { lacks: [...written.lacks] }),
      ...(seen !== undefined && { data: seen }),
      ...(fetched.unprofiled && { unprofiled: true }),
    })
    if (fetched.indexed !== undefined) await project.values.keep(entryKey(key, item.id), fetched.indexed)
    notes.kept.push(...result.kept)
    return result.changed ? 'written' : 'same'
  } catch (thrown) {
    if (build.signal?.aborted && claimed === undefined) return 'failed'
    const message = await messageOf(thrown, build)
    notes.failures.push({ source: key, item: item.title, message })
    const left = claimed ?? before
    if (left !== undefined) await keepStale(left, message, build)
    return 'failed'
  } finally {
    const milliseconds = Math.round(performance.now() - started)
    notes.took.push({ item: `${key} ${item.title}`, milliseconds })
  }
}

/** Adds the result of `look` for the next sync to compare with. If it fails, the next sync tries again. */
async function lookBefore(
  source: Source,
  item: SourceItem,
  { data, build }: { data: ManifestEntry['data']; build: Build },
): Promise<ManifestEntry['data']> {
  if (data === undefined || data.look !== undefined) return data
  const look = await orStopped(source.look?.(item) ?? Promise.resolve(undefined), build.signal).catch(() => undefined)
  return look === undefined ? data : { ...data, look }
}

async function redacted(fetched: FetchedItem, { project, notes }: Build): Promise<FetchedItem> {
  notes.redacted += fetched.redacted ?? 0
  const documents = await Promise.all(
    fetched.documents.map(async (document) => {
      const { text, count } = await project.redact(document.text)
      notes.redacted += count
      return { ...document, text }
    }),
  )
  if (fetched.table === undefined) return { ...fetched, documents }
  return { ...fetched, documents, table: await redactTexts(fetched.table, project.redact) }
}

/** Keeps the old copy, marked as stale. If the disk cannot be written now, the manifest still records it. */
export async function keepStale(
  entry: ManifestEntry,
  reason: string,
  { manifest, project, now, write }: Build,
): Promise<void> {
  if (!write) return
  const stale = { ...entry, stale: { since: entry.stale?.since ?? now().toISOString(), reason } }
  const marked = entry.stale === undefined ? await markStale(project.tree, stale).catch(() => stale) : stale
  manifest.set(entryKey(entry.source, entry.item), marked)
}

/** Removes items that their source no longer has. */
export async function removeGone(
  gone: readonly ManifestEntry[],
  { manifest, notes, project, write }: Build,
): Promise<number> {
  for (const entry of gone) {
    notes.removed.push(`${entry.source} ${entry.title}`)
    if (!write) continue
    manifest.delete(entryKey(entry.source, entry.item))
    if (entry.table !== undefined) await project.values.keep(entryKey(entry.source, entry.item), [])
    const failed = (thrown: unknown): readonly string[] => {
      notes.failures.push({
        source: entry.source,
        item: entry.title,
        message: `its files stay: ${toAppError(thrown).message}`,
      })
      return []
    }
    notes.kept.push(...(await removeFiles(project.tree, entry.files, entry.unfinished ?? false).catch(failed)))
  }
  return gone.length
}
