import { readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import picomatch from 'picomatch'
import { readLines } from '../../core/search/text-lines.ts'
import { redactDeep } from '../../core/secrets/redact-deep.ts'
import { redactPart } from '../../core/secrets/redact-part.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CodeGraph } from '../../ports/code-graph.ts'
import type { CodeParser } from '../../ports/code-parser.ts'
import type { Lease } from '../../ports/lease.ts'
import type { Memory, UpdateReport } from '../../ports/memory.ts'
import type { SearchIndex, StoredDocument } from '../../ports/search-index.ts'
import { cutCodeWith } from './cut-code.ts'
import { embedPending } from './embed-pending.ts'
import { inTime } from './in-time.ts'
import { prepareBatch } from './prepare-batch.ts'
import { scanFolder } from './scan-folder.ts'
import { searchMemory, type SearchParts } from './search.ts'
import { listSources, type Source, type SourceParts } from './sources.ts'
import { updateIndex } from './update.ts'
import { writeNote } from './write-note.ts'

export interface MemoryParts extends SourceParts, SearchParts {
  readonly clock: Clock
  readonly lease: Lease
  readonly code: CodeGraph
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

export function openMemoryFiles(parts: MemoryParts): Memory {
  const { index, home, clock } = parts
  const notesFolder = join(home, 'memory')
  const cutCode = cutCodeWith(parts.parser)

  let freshAt = -Infinity

  /** Records and notes are small and change while agents work: they are looked at before a search, once a second at most. */
  async function freshen(): Promise<void> {
    const now = clock.now().getTime()
    if (Math.abs(now - freshAt) < FRESH_FOR) return
    const release = parts.lease.tryTake()
    if (release === undefined) return
    try {
      freshAt = now
      const { sources } = await listSources(parts)
      const { added, changed } = await updateIndex(index, sources, { collections: ['memory', 'record'], cutCode, progress: silent })
      if (added + changed > 0) await embedFew()
    } finally {
      release()
    }
  }

  /** A note or a decision is found by meaning at once; when a model fails, the next update makes up for it. */
  async function embedFew(): Promise<void> {
    const embed = async () => {
      const embedder = await parts.embedder()
      if (embedder !== undefined) await embedPending(index, embedder, { cutCode, progress: silent, most: FEW })
    }
    await inTime(embed(), EMBED_FEW_DEADLINE, 'the embedder did not answer in time').catch(() => undefined)
  }

  return {
    code: parts.code,
    async search(question) {
      await freshen()
      return searchMemory(parts, question)
    },
    async read(id, { from = 1, lines: most = Infinity }) {
      await freshen()
      const document = await findDocument(parts, id)
      const text = document && readText(document.path)
      if (document === undefined || text === undefined) return undefined
      const lines = readLines(text)
      const first = Math.min(Math.max(1, from), Math.max(1, lines.count))
      const last = Math.min(lines.count, first - 1 + most)
      const part = redactPart(text, lines.start(first - 1), lines.start(last))
      return { id: `#${document.key}`, path: document.path, title: document.title, text: part, startLine: first, endLine: last, totalLines: lines.count }
    },
    async match(glob, cwd) {
      const { sources } = await listSources(parts)
      const matches = picomatch(glob, { dot: true })
      const documents = await index.documents({})
      const isMeant = (document: StoredDocument) => [document.path, relative(cwd, document.path), nameOf(document, sources)].some((name) => matches(name))
      return documents.filter(isMeant).map(({ key }) => `#${key}`)
    },
    async write(note) {
      const { value, count } = redactDeep(note)
      const written = writeNote(notesFolder, value, clock.now())
      await indexFile(index, (await listSources(parts)).sources[0]!, written.path)
      await embedFew()
      return { ...written, redacted: count }
    },
    async update(request) {
      const release = await takeLease(parts.lease, PATIENCE)
      if (release === undefined) return NOTHING
      try {
        const { sources, faults } = await listSources(parts)
        const counts = await updateIndex(index, sources, { ...request, cutCode })
        const embedder = request.embed ? await parts.embedder() : undefined
        const embedded = embedder === undefined ? 0 : await embedPending(index, embedder, { cutCode, progress: request.progress, signal: request.signal })
        return { ...counts, busy: false, embedded, skipped: [...faults.map((reason) => ({ path: 'config.yml', reason })), ...counts.skipped] }
      } finally {
        release()
      }
    },
    async status() {
      const status = await index.status()
      const embedder = await inTime(parts.embedder(), STATUS_DEADLINE, 'it did not answer in time').catch((error: Error) => error)
      const isThere = embedder !== undefined && !(embedder instanceof Error)
      const files = await scanFolder(join(home, 'sessions'), (path) => path.endsWith('.md'))
      return {
        ...status,
        embedder: isThere ? embedder.id : undefined,
        embedderFault: embedder instanceof Error ? embedder.message : undefined,
        pending: isThere ? status.chunks - (status.vectors[embedder.id] ?? 0) : 0,
        sessionBytes: files.reduce((sum, { size }) => sum + size, 0),
      }
    },
    async close() {
      parts.lease.close()
      await index.close()
    },
  }
}

async function takeLease(lease: Lease, patience: number): Promise<(() => void) | undefined> {
  for (let waited = 0; ; waited += 50) {
    const release = lease.tryTake()
    if (release !== undefined || waited >= patience) return release
    await sleep(50)
  }
}

async function indexFile(index: SearchIndex, source: Source, path: string): Promise<void> {
  const { size, mtimeMs: mtime } = statSync(path)
  const place = { collection: source.collection, path, size, mtime, ...source.place(relative(source.root, path)) }
  const { documents, postings, restamped } = prepareBatch([{ place, knownHash: undefined }])
  await index.write({ documents, postings, restamped, removed: [] })
}

async function findDocument(parts: MemoryParts, id: string): Promise<StoredDocument | undefined> {
  if (/^#?[0-9a-f]{12}$/.test(id)) {
    const [found] = await parts.index.documents({ key: id.replace('#', '') })
    if (found !== undefined) return found
  }
  const [exact] = await parts.index.documents({ path: id })
  if (exact !== undefined) return exact
  const { sources } = await listSources(parts)
  const [, collection, rest] = /^([^/]+)\/(.+)$/.exec(id) ?? []
  for (const source of sources.filter((own) => own.collection === collection)) {
    const [found] = await parts.index.documents({ collection: source.collection, path: join(source.root, rest!) })
    if (found !== undefined) return found
  }
  return undefined
}

/** `collection/path below its folder`. */
function nameOf({ collection, path }: StoredDocument, sources: readonly Source[]): string {
  const source = sources.find((own) => own.collection === collection && path.startsWith(own.root))
  return source === undefined ? path : `${collection}/${relative(source.root, path)}`
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
