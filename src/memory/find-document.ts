import { join, relative } from 'node:path'
import { compileGlob } from '../kernel/domain/glob.ts'
import { readReference } from '../kernel/domain/input/document-reference.ts'
import { scopeFilter, type SearchScope } from '../retrieval/domain/ranking/indexed-document.ts'
import { listIndexedFolders, type FolderParts, type IndexedFolder } from './indexed-folders.ts'
import type { SearchIndex, StoredDocument } from './ports/search-index.ts'

export interface FindParts extends FolderParts {
  readonly index: SearchIndex
}

/** Finds a document, and the lines if the name includes any, as search results do after the path. */
export async function findPlace(
  parts: FindParts,
  name: string,
  isMeant: (document: StoredDocument) => boolean,
): Promise<{ document: StoredDocument; from?: number; lines?: number } | undefined> {
  const document = await findDocument(parts, name, isMeant)
  if (document !== undefined) return { document }
  const { id, ...lines } = readReference(name)
  const found = id === name ? undefined : await findDocument(parts, id, isMeant)
  return found && { document: found, ...lines }
}

/** Finds a document by id, by path, or by `collection/path below its folder`. */
async function findDocument(
  parts: FindParts,
  id: string,
  isMeant: (document: StoredDocument) => boolean,
): Promise<StoredDocument | undefined> {
  const first = async (like: Parameters<SearchIndex['documents']>[0]) =>
    (await parts.index.documents(like)).find(isMeant)
  const exact =
    (/^#?[0-9a-f]{12}$/.test(id) ? await first({ key: id.replace('#', '') }) : undefined) ?? (await first({ path: id }))
  if (exact !== undefined) return exact
  const { folders } = await listIndexedFolders(parts)
  const [, collection, rest] = /^([^/]+)\/(.+)$/.exec(id) ?? []
  for (const folder of folders.filter((own) => own.collection === collection)) {
    const found = await first({ collection: folder.collection, path: join(folder.root, rest!) })
    if (found !== undefined) return found
  }
  return undefined
}

/** Ids of the documents with a path or `collection/path` that matches a glob. */
export async function matchDocuments(
  parts: FindParts,
  { glob, cwd, within }: { readonly glob: string; readonly cwd: string; readonly within: SearchScope['within'] },
): Promise<readonly string[]> {
  const { folders } = await listIndexedFolders(parts)
  const matches = compileGlob(glob)
  if (matches === undefined) return []
  const namesOf = (document: StoredDocument) => [
    document.path,
    relative(cwd, document.path),
    collectionPath(document, folders),
  ]
  return (await parts.index.documents({}))
    .filter(({ entry }) => entry === undefined)
    .filter(scopeFilter({ within }))
    .filter((document) => namesOf(document).some((name) => matches(name)))
    .map(({ key }) => key)
}

/** Path of a document as `collection/path below its folder`. */
function collectionPath({ collection, path }: StoredDocument, folders: readonly IndexedFolder[]): string {
  const folder = folders.find((own) => own.collection === collection && path.startsWith(own.root))
  return folder === undefined ? path : `${collection}/${relative(folder.root, path)}`
}
