import { sha256 } from '../kernel/domain/sha256.ts'
import { frame, unframe } from './domain/context-project/framed-file.ts'
import { isUntouchedIndex } from './domain/context-project/llms-txt.ts'
import { estimateTokens, type ManifestEntry, type ManifestFile } from './domain/context-project/manifest.ts'
import { protectedReason } from './domain/context-project/protected-path.ts'
import type { ContextTree } from './ports/context-tree.ts'
import type { FetchedItem, SourceDocument, SourceItem } from './ports/source.ts'

export interface ItemWrite {
  readonly tree: ContextTree
  readonly source: string
  readonly item: SourceItem
  readonly before: ManifestEntry | undefined
  readonly now: string
  /** Called before the first file is touched: from then on the item is unfinished until this returns. */
  readonly onClaim?: (entry: ManifestEntry) => void
}

export interface WrittenItem {
  readonly entry: ManifestEntry
  readonly changed: boolean
  /** Files that are in the way: not written by Ken, or edited by hand. */
  readonly kept: readonly string[]
}

/** Document as written into the tree. */
export interface TreeDocument extends SourceDocument {
  readonly model?: NonNullable<ManifestFile['model']>
  readonly stale?: NonNullable<ManifestEntry['stale']>
}

interface PlannedFile {
  readonly file: ManifestFile
  readonly text: string
  readonly action: 'write' | 'same' | 'keep'
}

/** Updates the files of one item. Replaces or removes only files that the manifest owns. */
export async function writeItem(
  write: ItemWrite,
  fetched: Pick<FetchedItem, 'table'> & { readonly documents: readonly TreeDocument[] },
): Promise<WrittenItem> {
  const { tree, before } = write
  const planned: PlannedFile[] = []
  for (const document of fetched.documents) planned.push(await planFile(write, document))
  const files = planned.filter(({ action }) => action !== 'keep').map(({ file }) => file)
  const gone = (before?.files ?? []).filter((file) => !planned.some((other) => other.file.path === file.path))
  const entry: ManifestEntry = {
    source: write.source,
    item: write.item.id,
    title: write.item.title,
    fingerprint: write.item.fingerprint,
    checked_at: write.now,
    files,
    ...(fetched.table !== undefined && { table: fetched.table }),
  }
  const news = planned.filter(({ action }) => action === 'write')
  if (news.length > 0 || gone.length > 0) {
    const claimed = { ...entry, files: [...files, ...gone] }
    await tree.claim(claimed)
    write.onClaim?.(claimed)
  }
  for (const { file, text } of news) await tree.write(file.path, text)
  const left = await removeFiles(tree, gone, before?.unfinished ?? false)
  return {
    entry,
    changed: news.length > 0 || gone.length > left.length,
    kept: [...planned.filter(({ action }) => action === 'keep').map(({ file }) => file.path), ...left],
  }
}

/**
 * Removes owned files; one edited since stays, and is reported. A manifest that came with a clone may claim files that
 * Ken never writes.
 */
export async function removeFiles(
  tree: ContextTree,
  files: readonly ManifestFile[],
  unfinished: boolean,
): Promise<readonly string[]> {
  const left: string[] = []
  for (const file of files) {
    if (protectedReason(file.path) !== undefined) continue
    const text = await tree.read(file.path)
    if (text !== undefined && text !== '' && !unfinished && hashOf(bodyOf(text, file.framed)) !== file.hash)
      left.push(file.path)
    else await tree.remove(file.path)
  }
  return left
}

/** Marks the files themselves as stale. */
export async function markStale(tree: ContextTree, entry: ManifestEntry): Promise<ManifestEntry> {
  const files: ManifestFile[] = []
  for (const file of entry.files) {
    const text = file.framed ? await tree.read(file.path) : undefined
    const body = text === undefined ? undefined : unframe(text)
    if (body === undefined || hashOf(body) !== file.hash) files.push(file)
    else {
      const marked = frame(body, {
        source: entry.source,
        item: entry.title,
        fetchedAt: file.fetched_at,
        dataChangedAt: file.data_changed_at,
        hash: file.hash,
        model: file.model?.id,
        stale: entry.stale,
      })
      await tree.write(file.path, marked)
      files.push({ ...file, bytes: byteLength(marked) })
    }
  }
  return { ...entry, files }
}

async function planFile({ tree, source, item, before, now }: ItemWrite, document: TreeDocument): Promise<PlannedFile> {
  const path = document.name === '' ? item.path : `${item.path}/${document.name}`
  const hash = hashOf(document.text)
  const owned = before?.files.find((file) => file.path === path)
  const framed = ({ fetchedAt, dataChangedAt }: FileTimes): string =>
    document.framed
      ? frame(document.text, {
          source,
          item: item.title,
          fetchedAt,
          dataChangedAt,
          hash,
          model: document.model?.id,
          stale: document.stale,
        })
      : document.text
  const fileOf = (text: string, { fetchedAt, dataChangedAt }: FileTimes): ManifestFile => ({
    path,
    hash,
    bytes: byteLength(text),
    tokens: estimateTokens(text),
    fetched_at: fetchedAt,
    framed: document.framed,
    ...(dataChangedAt !== undefined && { data_changed_at: dataChangedAt }),
    ...(document.model && { model: document.model }),
  })
  const latest = { fetchedAt: now, dataChangedAt: item.data?.changedAt }
  const fresh = framed(latest)
  const there = await tree.read(path)
  if (there === undefined || there === '') return { file: fileOf(fresh, latest), text: fresh, action: 'write' }
  // An unchanged text keeps its times, so that nothing is rewritten for them.
  const times = owned?.hash === hash ? { fetchedAt: owned.fetched_at, dataChangedAt: owned.data_changed_at } : latest
  const wanted = framed(times)
  if (there === wanted) return { file: fileOf(wanted, times), text: wanted, action: 'same' }
  return {
    file: fileOf(wanted, times),
    text: wanted,
    action: isOurs(there, owned, before?.unfinished ?? false) ? 'write' : 'keep',
  }
}

interface FileTimes {
  readonly fetchedAt: string
  readonly dataChangedAt: string | undefined
}

/** Whether Ken wrote the existing file and it is unchanged. */
export function isOurs(there: string, owned: ManifestFile | undefined, unfinished: boolean): boolean {
  return owned === undefined
    ? isUntouchedOutput(there)
    : unfinished || hashOf(bodyOf(there, owned.framed)) === owned.hash
}

/** Unchanged output of Ken with a lost manifest entry: its own frontmatter proves it. */
function isUntouchedOutput(text: string): boolean {
  const body = unframe(text)
  if (body === undefined) return isUntouchedIndex(text)
  return text.slice(0, text.length - body.length).includes(`\ncontent_hash: ${hashOf(body)}\n`)
}

export const hashOf = (text: string): string => sha256(text).slice(0, 16)
const bodyOf = (text: string, framed: boolean): string => (framed ? (unframe(text) ?? text) : text)
const byteLength = (text: string): number => Buffer.byteLength(text)
