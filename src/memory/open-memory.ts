import { operationNamed } from '../kernel/domain/named-operation.ts'
import { eitherSignal } from '../kernel/domain/stop.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Lease } from '../kernel/ports/lease.ts'
import { IndexDamaged } from '../retrieval/domain/index-damaged.ts'
import { scopeFilter } from '../retrieval/domain/ranking/indexed-document.ts'
import type { CodeParser } from '../retrieval/ports/code-parser.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { browseMemory, surveyMemory } from './browse.ts'
import { withDeadline } from './deadline.ts'
import { embedPending } from './embed-pending.ts'
import { findPlace, matchDocuments } from './find-document.ts'
import { openFreshener } from './freshen.ts'
import { openHealer, rebuilt, refusalIn, type Healer } from './heal.ts'
import { outlineWith, type IndexParts } from './index-files.ts'
import { listIndexedFolders, sessionsFolder, type FolderParts } from './indexed-folders.ts'
import { withLease } from './lease.ts'
import type { CodeGraph } from './ports/code-graph.ts'
import type { IndexHealth } from './ports/index-health.ts'
import type { Memory, MemoryAnswer, MemoryQuestion, MemoryStatus, UpdateReport, UpdateRequest } from './ports/memory.ts'
import type { UseLog } from './ports/use-log.ts'
import { readPart } from './read-part.ts'
import { openSessionReader } from './read-session.ts'
import { rememberTexts } from './recent-documents.ts'
import { searchMemory } from './search.ts'
import type { SearchParts } from './search.ts'
import { shareableTexts } from './shareable-texts.ts'
import { updateIndex } from './update-index.ts'
import { indexNote, writeNote } from './write-note.ts'

export interface MemoryParts extends FolderParts, Omit<SearchParts, 'texts'> {
  readonly clock: Clock
  readonly lease: Lease
  readonly code: CodeGraph
  readonly health: IndexHealth
  readonly uses: UseLog
  /** Throws `unavailable` if nothing may be written now. */
  readonly checkRoom: () => void
  /** Reports warnings outside an answer. */
  readonly warn: (message: string) => void
  readonly parser: () => Promise<CodeParser>
  /** The embedder, if it takes almost no time: texts are then embedded while they are indexed. */
  readonly quickEmbedder: () => Promise<Embedder | undefined>
}

// Time that an update waits for another process before leaving the work to it.
const PATIENCE = 3_000
const STATUS_DEADLINE = 5_000
const silent = () => {}
const BUSY: UpdateReport = { busy: true, added: 0, changed: 0, removed: 0, unchanged: 0, embedded: 0, skipped: [] }

export function openMemoryWith(parts: MemoryParts): Memory {
  const { documents, index, clock } = parts
  const shown = rememberTexts(documents)
  const texts = async () => shown
  const indexing: IndexParts = { documents, index, outlineCode: outlineWith(parts.parser) }
  const healer = openHealer({
    health: parts.health,
    lease: parts.lease,
    checkRoom: parts.checkRoom,
    async refill({ signal, progress }) {
      await updateIndex(indexing, (await listIndexedFolders(parts)).folders, {
        progress,
        signal,
        checkRoom: parts.checkRoom,
      })
    },
    async complete(signal) {
      const embedder = await parts.embedder().catch(() => undefined)
      if (embedder !== undefined) await embedPending(indexing, embedder, { progress: silent, signal })
    },
  })
  const { freshen, embedFew } = openFreshener(parts, indexing)

  async function sound<T>(work: () => Promise<T>): Promise<T> {
    const { value, notes } = await healer.sound(work)
    notes.forEach(parts.warn)
    return value
  }

  const readSession = openSessionReader()
  const closing = new AbortController()
  const updates = new Set<Promise<UpdateReport | undefined>>()

  async function asked<Q extends MemoryQuestion, A extends MemoryAnswer>(
    question: Q,
    search: (parts: SearchParts, question: Q) => Promise<A>,
  ): Promise<A> {
    const { value, notes } = await healer.sound(async () => {
      const stale = await freshen()
      const answer = await searchWithVectors({ ...parts, texts }, question, search)
      return { ...answer, notes: [...stale, ...answer.notes] }
    })
    return { ...value, notes: [...notes, ...value.notes] }
  }

  return {
    code: soundCode(parts.code, sound),
    browser: {
      page: (question) => asked(question, browseMemory),
      survey: (question) => sound(() => surveyMemory({ ...parts, texts }, question)),
      async session(id, within) {
        const found = await sound(() => findPlace(parts, id, scopeFilter({ within })))
        if (found?.document.origin !== 'session') return undefined
        parts.uses.note(sessionIds([found.document]))
        return readSession(shown, found)
      },
      shareable: (within) => shareableTexts({ index, documents }, within),
    },
    async search(question) {
      const answer = await asked(question, searchMemory)
      parts.uses.note(sessionIds(answer.hits))
      return answer
    },
    async read(id, { within, from, lines }) {
      const found = await sound(async () => {
        await freshen()
        return findPlace(parts, id, scopeFilter({ within }))
      })
      if (found !== undefined) parts.uses.note(sessionIds([found.document]))
      const isNamed = from === undefined && lines === undefined
      const part = isNamed ? { from: found?.from, lines: found?.lines } : { from: from ?? found?.from, lines }
      return found && readPart(shown, found.document, { ...part, within })
    },
    match: async (glob, cwd, within) => sound(() => matchDocuments(parts, { glob, cwd, within })),
    async holds(scope) {
      const read = async () => (await sound(() => index.documents({}))).filter(scopeFilter(scope))
      const tags = async () => [...new Set((await read()).flatMap((document) => document.tags))].toSorted()
      const isByPlace = scope.since === undefined && scope.until === undefined && (scope.tags ?? []).length === 0
      if (!isByPlace) return { documents: (await read()).length, tags }
      const { places } = await sound(() => index.status())
      const allows = scopeFilter(scope)
      const inScope = places.filter((place) => allows({ ...place, tags: [], modified: 0 }))
      return { documents: inScope.reduce((sum, { documents }) => sum + documents, 0), tags }
    },
    async write(note) {
      parts.checkRoom()
      const written = writeNote(parts, note, clock.now())
      // The note is saved; if it cannot be indexed now, the next search does it.
      const quick = await quickOf(parts)
      await sound(async () =>
        indexNote({ ...indexing, quick }, (await listIndexedFolders(parts)).folders[0], written.path),
      )
        .then(embedFew)
        .catch(unlessRefused)
      return written
    },
    async update(request) {
      const signal = eitherSignal(request.signal, closing.signal)
      const updated = withLease(parts.lease, PATIENCE, () => update(parts, indexing, healer, { ...request, signal }))
      updates.add(updated)
      try {
        return (await updated) ?? BUSY
      } finally {
        updates.delete(updated)
      }
    },
    status: () => statusOf(parts, sound),
    async close() {
      closing.abort()
      await Promise.allSettled([healer.close(), ...updates])
      parts.lease.close()
      await index.close()
    },
  }
}

/** Undefined if the embedder fails; the failure is reported when missing vectors are made. */
const quickOf = ({ quickEmbedder }: MemoryParts): Promise<Embedder | undefined> =>
  quickEmbedder().catch(() => undefined)

type Sound = <T>(work: () => Promise<T>) => Promise<T>

/** Routes every code query through the healer. */
function soundCode(code: CodeGraph, sound: Sound): CodeGraph {
  return {
    symbols: (name, limit, within) => sound(() => code.symbols(name, limit, within)),
    definedIn: (path, within) => sound(() => code.definedIn(path, within)),
    callers: (name, within) => sound(() => code.callers(name, within)),
    importers: (path, within) => sound(() => code.importers(path, within)),
    files: (ending, within) => sound(() => code.files(ending, within)),
  }
}

/** The ids in the names of session files. */
const sessionIds = (found: readonly { readonly origin: string; readonly path: string }[]): string[] =>
  found.flatMap(({ origin, path }) => (origin === 'session' ? (/-([0-9a-f]{12})\.md$/.exec(path)?.[1] ?? []) : []))

function unlessRefused(error: unknown): void {
  if (refusalIn(error) === undefined) throw error
}

/** The caller holds the lease: an update also rebuilds a damaged index. */
async function update(
  parts: MemoryParts,
  indexing: IndexParts,
  healer: Healer,
  request: UpdateRequest,
): Promise<UpdateReport> {
  const { folders, faults } = await listIndexedFolders(parts)
  const quick = request.embed ? await quickOf(parts) : undefined
  const checkRoom = request.withoutRoom === true ? () => {} : parts.checkRoom
  const bringUpToDate = () => updateIndex({ ...indexing, quick }, folders, { ...request, checkRoom })
  if (request.anew === true) await healer.mend(new IndexDamaged('you asked for a new one'), request)
  const counts = await parts.health
    .check()
    .then(bringUpToDate)
    .catch(async (error: unknown) => {
      if (!(error instanceof IndexDamaged)) throw error
      await healer.mend(error, request)
      parts.warn(rebuilt(error))
      return bringUpToDate()
    })
  const embedder = request.embed ? await parts.embedder() : undefined
  if (embedder !== undefined && (await isIncomplete(parts, embedder.id))) checkRoom()
  const later = embedder === undefined ? 0 : await embedPending(indexing, embedder, request)
  return {
    ...counts,
    busy: false,
    embedded: counts.embedded + later,
    skipped: [...faults.map((reason) => ({ path: 'config.yml', reason })), ...counts.skipped],
  }
}

async function isIncomplete({ index }: MemoryParts, embedder: string): Promise<boolean> {
  const { chunks, vectors } = await index.status()
  return chunks > (vectors[embedder] ?? 0)
}

async function statusOf(parts: MemoryParts, sound: Sound): Promise<MemoryStatus> {
  const status = await sound(() => parts.index.status())
  const embedder = await withDeadline(parts.embedder(), STATUS_DEADLINE, 'it did not answer in time').catch(
    (error: Error) => error,
  )
  const isThere = embedder !== undefined && !(embedder instanceof Error)
  const { files } = await parts.documents.scanFolder(sessionsFolder(parts.home), (path) => path.endsWith('.md'))
  const { folders } = await listIndexedFolders(parts)
  return {
    ...status,
    embedder: isThere ? embedder.id : undefined,
    embedderFault: embedder instanceof Error ? embedder.message : undefined,
    pending: isThere ? status.chunks - (status.vectors[embedder.id] ?? 0) : 0,
    sessionBytes: files.reduce((sum, { size }) => sum + size, 0),
    missing: folders
      .filter(({ isOwn, root }) => !isOwn && parts.documents.stamp(root) === undefined)
      .map(({ collection, root }) => ({ collection, root })),
  }
}

// A share of an answering index too small to mention with every answer: some files that changed just now.
const NEGLIGIBLE = 0.02

/**
 * Searches, and adds a note if texts have no vector yet and could not be found by meaning. If no text has one, a search
 * by meaning falls back to words.
 */
async function searchWithVectors<Q extends MemoryQuestion, A extends MemoryAnswer>(
  parts: SearchParts & { readonly lease: Lease },
  question: Q,
  search: (parts: SearchParts, question: Q) => Promise<A>,
): Promise<A> {
  const answer = await search(parts, question)
  // After a semantic stage the embedder is available; otherwise the notes give the reason.
  if (!answer.stages.includes('semantic')) return answer
  const { chunks, vectors } = await parts.index.status()
  const pending = chunks - (vectors[(await parts.embedder())?.id ?? ''] ?? 0)
  if (pending <= 0 || (answer.hits.length > 0 && pending < NEGLIGIBLE * chunks)) return answer
  const isBare = pending === chunks
  const said = isBare && question.by === 'meaning' ? await search(parts, { ...question, by: 'words' }) : answer
  const lacking = isBare
    ? `None of ${plural(chunks, 'part')} has a vector yet, so only words were compared`
    : `${pending} of ${plural(chunks, 'part')} have no vector yet and were compared by words at most`
  const remedy = isBeingUpdated(parts.lease)
    ? 'they are being made right now'
    : `${operationNamed('memory_update')} makes them`
  return { ...said, notes: [...said.notes, `${lacking}; ${remedy}.`], pending }
}

/** True if another process, or another caller in this one, holds the lease. */
function isBeingUpdated(lease: Lease): boolean {
  try {
    const release = lease.tryTake()
    release?.()
    return release === undefined
  } catch {
    return false
  }
}
