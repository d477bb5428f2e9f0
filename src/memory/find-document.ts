import { join, relative } from 'node:path'
import { compileGlob } from '../core/glob.ts'
import { scopeFilter, type SearchScope } from '../core/ranking/indexed-document.ts'
import { redactPart } from '../core/secrets/redact-part.ts'
import { readLines } from '../core/text/text-lines.ts'
import type { Documents } from '../ports/documents.ts'
import type { MemoryText } from '../ports/memory.ts'
import type { SearchIndex, StoredDocument } from '../ports/search-index.ts'
import { listIndexedFolders, type FolderParts, type IndexedFolder } from './indexed-folders.ts'

export interface FindParts extends FolderParts {
  readonly index: SearchIndex
}

/** By id, by path, or by `collection/path below its folder`. */
export async function findDocument(
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

/** Some lines of a document, redacted as parts of the whole; undefined when its file cannot be read any more. */
export function readPart(
  documents: Documents,
  document: StoredDocument,
  { from = 1, lines: most = Infinity }: { readonly from?: number | undefined; readonly lines?: number | undefined },
): MemoryText | undefined {
  const text = documents.text(document)
  if (text === undefined) return undefined
  const lines = readLines(text)
  const first = Math.min(Math.max(1, from), Math.max(1, lines.count))
  const last = Math.min(lines.count, first - 1 + most)
  return {
    id: document.key,
    path: document.path,
    title: document.title,
    origin: document.origin,
    trust: document.trust,
    text: redactPart(text, lines.start(first - 1), lines.start(last)),
    startLine: first,
    endLine: last,
    totalLines: lines.count,
  }
}

/** The ids of documents whose path, or `collection/path`, a glob matches. */
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
    .filter(scopeFilter({ within }))
    .filter((document) => namesOf(document).some((name) => matches(name)))
    .map(({ key }) => key)
}

/** `collection/path below its folder`. */
function collectionPath({ collection, path }: StoredDocument, folders: readonly IndexedFolder[]): string {
  const folder = folders.find((own) => own.collection === collection && path.startsWith(own.root))
  return folder === undefined ? path : `${collection}/${relative(folder.root, path)}`
}
