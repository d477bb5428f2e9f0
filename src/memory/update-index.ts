import { sep } from 'node:path'
import { throwIfStopped } from '../kernel/domain/stop.ts'
import { plural } from '../kernel/domain/text.ts'
import { KEPT_DAYS } from './domain/upkeep/upkeep-rules.ts'
import { addCounts, noCounts, type Counts, type FileToIndex } from './index-batch.ts'
import { indexFiles, type QuickIndexParts } from './index-files.ts'
import type { IndexedFolder } from './indexed-folders.ts'
import type { FoundFile } from './ports/documents.ts'
import type { UpdateRequest } from './ports/memory.ts'
import type { StoredDocument } from './ports/search-index.ts'

export interface IndexRequest extends Pick<UpdateRequest, 'collections' | 'expired' | 'progress' | 'signal'> {
  /** Called before anything is added; deleted files are still removed from every collection. */
  checkRoom(): void
}

interface Job extends Pick<IndexRequest, 'expired' | 'progress' | 'signal'> {
  readonly collection: string
  mayAdd(): boolean
}

const REMOVED_AT_ONCE = 2_000

/** Brings the index in line with the files: stamps are compared first, contents only if they differ. */
export async function updateIndex(
  parts: QuickIndexParts,
  folders: readonly IndexedFolder[],
  request: IndexRequest,
): Promise<Counts> {
  const wanted = (collection: string) => request.collections === undefined || request.collections.includes(collection)
  const byCollection = Map.groupBy(
    folders.filter(({ collection }) => wanted(collection)),
    ({ collection }) => collection,
  )
  const gone = (request.collections ?? Object.keys((await parts.index.status()).byCollection)).filter(
    (name) => !byCollection.has(name),
  )
  const total = noCounts()
  let refusal: unknown
  const mayAdd = (): boolean => {
    try {
      request.checkRoom()
      return true
    } catch (error) {
      refusal = error
      return false
    }
  }
  for (const [collection, own] of [...byCollection, ...gone.map((name) => [name, []] as const)]) {
    addCounts(total, await updateCollection(parts, own, { ...request, collection, mayAdd }))
  }
  if (refusal !== undefined) throw refusal
  return total
}

async function updateCollection(parts: QuickIndexParts, folders: readonly IndexedFolder[], job: Job): Promise<Counts> {
  const { index } = parts
  const { files, overBudget, missing: absent } = await scanAll(folders)
  const missing = absent.filter((root) => job.expired?.includes(root) !== true)
  // Most documents are unchanged, and a large collection has many of them.
  const others = await index.documents({
    collection: job.collection,
    where(document) {
      const file = files.get(document.path)
      const isSame = file !== undefined && document.entry === undefined && isAsFound(document, file)
      if (isSame) file.isUnchanged = true
      return !isSame
    },
  })
  const isKept = ({ path }: StoredDocument): boolean => missing.some((root) => isBelow(path, root))
  const gone = others.filter(({ path }) => !files.has(path))
  const kept = gone.filter(isKept)
  const removed = gone
    .filter((document) => !isKept(document))
    .map(({ path, entry }) => ({ collection: job.collection, path, entry }))
  for (let at = 0; at < removed.length; at += REMOVED_AT_ONCE) {
    await index.write({
      documents: [],
      postings: [],
      restamped: [],
      removed: removed.slice(at, at + REMOVED_AT_ONCE),
    })
  }
  const found = changesIn(files, others)
  const changes = found.length === 0 || job.mayAdd() ? found : []
  const written = await indexChanges(parts, changes, job)
  return {
    ...written,
    skipped: [...sayMissing(job.collection, missing, kept), ...overBudget, ...written.skipped],
    removed: removed.filter(({ entry }) => entry === undefined).length + written.removed,
    unchanged: files.size - found.length + written.unchanged,
  }
}

/** A missing folder may be an unmounted drive or a renamed folder, so its documents are kept. */
function sayMissing(
  collection: string,
  roots: readonly string[],
  kept: readonly StoredDocument[],
): Counts['skipped'][number][] {
  const limit =
    collection === 'codebase'
      ? 'until codebase.roots no longer names it'
      : `for ${KEPT_DAYS} days, or until \`ken collection remove ${collection}\``
  return roots.flatMap((root) => {
    const count = kept.filter(({ path }) => isBelow(path, root)).length
    const reason = `the folder is missing; its ${plural(count, 'document')} stay in the index ${limit}`
    return count === 0 ? [] : [{ path: root, reason }]
  })
}

const isBelow = (path: string, root: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

interface ScannedFile extends FoundFile {
  readonly folder: IndexedFolder
  isUnchanged: boolean
}

/** The files of all folders by path. Nested folders find the same file twice; the first folder keeps it. */
async function scanAll(folders: readonly IndexedFolder[]) {
  const files = new Map<string, ScannedFile>()
  const overBudget: Counts['skipped'][number][] = []
  const missing: string[] = []
  for (const folder of folders) {
    const scan = await folder.scan()
    if (scan.isMissing === true && !folder.isOwn) missing.push(folder.root)
    overBudget.push(...scan.overBudget)
    for (const { path, relative, size, mtime } of scan.files)
      if (!files.has(path)) files.set(path, { path, relative, size, mtime, folder, isUnchanged: false })
  }
  return { files, overBudget, missing }
}

const isAsFound = (document: StoredDocument, { size, mtime, folder, relative }: ScannedFile): boolean =>
  document.size === size && document.mtime === mtime && isSamePlace(document, folder.place(relative))

/** `known` are the documents of changed files, among others. */
function changesIn(files: ReadonlyMap<string, ScannedFile>, known: readonly StoredDocument[]): FileToIndex[] {
  const before = new Map(known.filter(({ entry }) => entry === undefined).map((one) => [one.path, one]))
  const entries = knownEntries(known)
  const changes: FileToIndex[] = []
  for (const { path, relative, size, mtime, folder, isUnchanged } of files.values()) {
    if (isUnchanged) continue
    const place = folder.place(relative)
    const found = before.get(path)
    changes.push({
      place: { collection: folder.collection, path, size, mtime, ...place },
      knownHash: found !== undefined && isSamePlace(found, place) ? found.hash : undefined,
      knownEntries: entries.get(path),
    })
  }
  return changes
}

/** Hashes of the notes in the index, by path and name. */
export function knownEntries(documents: readonly StoredDocument[]): Map<string, Map<string, string>> {
  const byPath = Map.groupBy(
    documents.filter(({ entry }) => entry !== undefined),
    ({ path }) => path,
  )
  return new Map(Array.from(byPath, ([path, own]) => [path, new Map(own.map(({ entry, hash }) => [entry!, hash]))]))
}

/** False if the configuration assigns the file another workspace, origin, project or trust than before. */
const isSamePlace = (before: StoredDocument, place: ReturnType<IndexedFolder['place']>): boolean =>
  before.workspace === place.workspace &&
  before.origin === place.origin &&
  before.project === place.project &&
  before.trust === place.trust

async function indexChanges(parts: QuickIndexParts, changes: readonly FileToIndex[], job: Job): Promise<Counts> {
  const total = noCounts()
  for await (const counts of indexFiles(parts, changes, job.signal)) {
    addCounts(total, counts)
    job.progress(
      `indexing ${job.collection}`,
      total.added + total.changed + total.unchanged + total.skipped.length,
      changes.length,
    )
    throwIfStopped(job.signal)
  }
  return total
}
