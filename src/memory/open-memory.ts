import { join, relative } from 'node:path'
import { compileGlob } from '../core/glob.ts'
import { IndexDamaged } from '../core/index-damaged.ts'
import { scopeFilter } from '../core/ranking/indexed-document.ts'
import { redactDeep } from '../core/secrets/redact-deep.ts'
import { redactPart } from '../core/secrets/redact-part.ts'
import { readLines } from '../core/text/text-lines.ts'
import type { Clock } from '../ports/clock.ts'
import type { CodeGraph } from '../ports/code-graph.ts'
import type { CodeParser } from '../ports/code-parser.ts'
import type { Documents } from '../ports/documents.ts'
import type { IndexHealth } from '../ports/index-health.ts'
import type { Lease } from '../ports/lease.ts'
import type { Memory, UpdateReport } from '../ports/memory.ts'
import type { SearchIndex, StoredDocument } from '../ports/search-index.ts'
import { withDeadline } from './deadline.ts'
import { embedPending } from './embed-pending.ts'
import { madeAnew, openHealer, refusalIn, type RefillRequest } from './heal.ts'
import { indexBatch } from './index-batch.ts'
import { outlineWith, type IndexParts } from './index-files.ts'
import {
  listIndexedFolders,
  notesFolder,
  sessionsFolder,
  type FolderParts,
  type IndexedFolder,
} from './indexed-folders.ts'
import { takeLease } from './lease.ts'
import { searchMemory, type SearchParts } from './search.ts'
import { updateIndex } from './update-index.ts'

export interface MemoryParts extends FolderParts, SearchParts {
  readonly clock: Clock
  readonly lease: Lease
  readonly code: CodeGraph
  readonly health: IndexHealth
  /** Where there is no answer to say it in. */
  readonly warn: (message: string) => void
  readonly parser: () => Promise<CodeParser>
}

// How long an update waits for another process before it leaves the work to it.
const PATIENCE = 3_000
const FRESH_FOR = 1_000
const FEW = 200
const EMBED_FEW_DEADLINE = 2_000
const STATUS_DEADLINE = 5_000
const silent = () => {}
const NOTHING: UpdateReport = { busy: true, added: 0, changed: 0, removed: 0, unchanged: 0, embedded: 0, skipped: [] }

export function openMemoryWith(parts: MemoryParts): Memory {
  const { documents, index, home, clock } = parts
  const indexing: IndexParts = { documents, index, outlineCode: outlineWith(parts.parser) }

  let freshAt = -Infinity

  const healer = openHealer({
    health: parts.health,
    lease: parts.lease,
    async refill({ signal, progress }) {
      await updateIndex(indexing, (await listIndexedFolders(parts)).folders, { progress, signal })
    },
    async complete(signal) {
      const embedder = await parts.embedder().catch(() => undefined)
      if (embedder !== undefined) await embedPending(indexing, embedder, { progress: silent, signal })
    },
  })

  async function sound<T>(work: () => Promise<T>): Promise<T> {
    const { value, notes } = await healer.sound(work)
    notes.forEach(parts.warn)
    return value
  }

  /**
   * Records and notes are small and change while agents work: they are looked at before a search, once a second at
   * most. Where nothing can be written, what was indexed before is searched; the answer is why.
   */
  async function freshen(): Promise<string[]> {
    try {
      await takeIn()
      return []
    } catch (error) {
      const refusal = refusalIn(error)
      if (refusal === undefined) throw error
      return [`Notes and decisions that changed since the last update may be missing: ${refusal.message}`]
    }
  }

  async function takeIn(): Promise<void> {
    const now = clock.now().getTime()
    if (Math.abs(now - freshAt) < FRESH_FOR) return
    const release = parts.lease.tryTake()
    if (release === undefined) return
    try {
      freshAt = now
      const { folders } = await listIndexedFolders(parts)
      const request = { collections: ['memory', 'record'], progress: silent }
      const { added, changed } = await updateIndex(indexing, folders, request)
      if (added + changed > 0) await embedFew()
    } finally {
      release()
    }
  }

  /** With the lease in hand: what brings an index up to date also makes a damaged one anew. */
  async function mended<T>(request: RefillRequest, work: () => Promise<T>): Promise<T> {
    try {
      await parts.health.check()
      return await work()
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error
      await healer.mend(error, request)
      parts.warn(madeAnew(error))
      return work()
    }
  }

  /** A note or a decision is found by meaning at once; when a model fails, the next update makes up for it. */
  async function embedFew(): Promise<void> {
    const embed = async () => {
      const embedder = await parts.embedder()
      if (embedder !== undefined) await embedPending(indexing, embedder, { progress: silent, most: FEW })
    }
    await withDeadline(embed(), EMBED_FEW_DEADLINE, 'the embedder did not answer in time').catch(() => undefined)
  }

  return {
    code: soundCode(parts.code, sound),
    async search(question) {
      const { value, notes } = await healer.sound(async () => {
        const stale = await freshen()
        const answer = await searchMemory(parts, question)
        return { ...answer, notes: [...stale, ...answer.notes] }
      })
      return { ...value, notes: [...notes, ...value.notes] }
    },
    async read(id, { from = 1, lines: most = Infinity, within }) {
      const document = await sound(async () => {
        await freshen()
        return findDocument(parts, id, scopeFilter({ within }))
      })
      const text = document && documents.text(document)
      if (document === undefined || text === undefined) return undefined
      const lines = readLines(text)
      const first = Math.min(Math.max(1, from), Math.max(1, lines.count))
      const last = Math.min(lines.count, first - 1 + most)
      const part = redactPart(text, lines.start(first - 1), lines.start(last))
      return {
        id: `#${document.key}`,
        path: document.path,
        title: document.title,
        origin: document.origin,
        trust: document.trust,
        text: part,
        startLine: first,
        endLine: last,
        totalLines: lines.count,
      }
    },
    async match(glob, cwd, within) {
      const { folders } = await listIndexedFolders(parts)
      const matches = compileGlob(glob)
      if (matches === undefined) return []
      const inside = (await sound(() => index.documents({}))).filter(scopeFilter({ within }))
      const isMeant = (document: StoredDocument) =>
        [document.path, relative(cwd, document.path), nameOf(document, folders)].some((name) => matches(name))
      return inside.filter(isMeant).map(({ key }) => `#${key}`)
    },
    async write(note) {
      const { value, count } = redactDeep(note)
      const written = writeNote(documents, notesFolder(home), { ...value, at: clock.now().toISOString() })
      // It is written; where the index cannot take it in now, the next search does.
      await sound(async () => indexFile(indexing, (await listIndexedFolders(parts)).folders[0], written.path))
        .then(embedFew)
        .catch(unlessRefused)
      return { ...written, redacted: count }
    },
    async update(request) {
      const release = await takeLease(parts.lease, PATIENCE)
      if (release === undefined) return NOTHING
      try {
        const { folders, faults } = await listIndexedFolders(parts)
        const counts = await mended(request, () => updateIndex(indexing, folders, request))
        const embedder = request.embed ? await parts.embedder() : undefined
        const embedded =
          embedder === undefined
            ? 0
            : await embedPending(indexing, embedder, { progress: request.progress, signal: request.signal })
        return {
          ...counts,
          busy: false,
          embedded,
          skipped: [...faults.map((reason) => ({ path: 'config.yml', reason })), ...counts.skipped],
        }
      } finally {
        release()
      }
    },
    async status() {
      const status = await sound(() => index.status())
      const embedder = await withDeadline(parts.embedder(), STATUS_DEADLINE, 'it did not answer in time').catch(
        (error: Error) => error,
      )
      const isThere = embedder !== undefined && !(embedder instanceof Error)
      const { files } = await documents.scanFolder(sessionsFolder(home), (path) => path.endsWith('.md'))
      return {
        ...status,
        embedder: isThere ? embedder.id : undefined,
        embedderFault: embedder instanceof Error ? embedder.message : undefined,
        pending: isThere ? status.chunks - (status.vectors[embedder.id] ?? 0) : 0,
        sessionBytes: files.reduce((sum, { size }) => sum + size, 0),
      }
    },
    async close() {
      await healer.close()
      parts.lease.close()
      await index.close()
    },
  }
}

/** Every question to the code through the healer. */
function soundCode(code: CodeGraph, sound: <T>(work: () => Promise<T>) => Promise<T>): CodeGraph {
  return {
    symbols: (name, limit, within) => sound(() => code.symbols(name, limit, within)),
    definedIn: (path, within) => sound(() => code.definedIn(path, within)),
    callers: (name, within) => sound(() => code.callers(name, within)),
    importers: (path, within) => sound(() => code.importers(path, within)),
    files: (ending, within) => sound(() => code.files(ending, within)),
  }
}

function unlessRefused(error: unknown): void {
  if (refusalIn(error) === undefined) throw error
}

/** Appends a note under a heading with the time, and gives the file and the line of the heading. */
function writeNote(
  documents: Documents,
  folder: string,
  { at, content, target, tags }: Parameters<Memory['write']>[0] & { readonly at: string },
): { path: string; line: number } {
  const path = join(folder, target === 'daily' ? `${at.slice(0, 10)}.md` : 'MEMORY.md')
  const tagLine = tags.length > 0 ? `tags: ${tags.join(', ')}\n` : ''
  // An empty line keeps it apart from the entry before.
  const line = documents.append(path, `\n## ${at}\n\n${tagLine}${content.trim()}\n`) + 1
  return { path, line }
}

async function indexFile(parts: IndexParts, folder: IndexedFolder, path: string): Promise<void> {
  const stamp = parts.documents.stamp(path)
  if (stamp === undefined) return
  const place = { collection: folder.collection, path, ...stamp, ...folder.place(relative(folder.root, path)) }
  await indexBatch(parts, [{ place, knownHash: undefined }])
}

async function findDocument(
  parts: MemoryParts,
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

/** `collection/path below its folder`. */
function nameOf({ collection, path }: StoredDocument, folders: readonly IndexedFolder[]): string {
  const folder = folders.find((own) => own.collection === collection && path.startsWith(own.root))
  return folder === undefined ? path : `${collection}/${relative(folder.root, path)}`
}
