import { AppError } from '../kernel/domain/errors.ts'
import { compileGlob } from '../kernel/domain/glob.ts'
import { readReference } from '../kernel/domain/input/document-reference.ts'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { scopeFilter, type SearchScope } from '../retrieval/domain/ranking/indexed-document.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { browseMemory, surveyMemory } from './browse.ts'
import { withDeadline } from './deadline.ts'
import { indexShared } from './index-shared.ts'
import type { CodeGraph } from './ports/code-graph.ts'
import type { Memory } from './ports/memory.ts'
import type { SearchIndex, StoredDocument } from './ports/search-index.ts'
import type { SharedDocuments } from './ports/shared-documents.ts'
import { readPart } from './read-part.ts'
import { openSessionReader } from './read-session.ts'
import type { SearchModels } from './search-models.ts'
import { searchMemory, type SearchParts, type Texts } from './search.ts'

export interface SharedMemoryParts {
  readonly clock: Clock
  readonly project: { readonly id: string; readonly name: string }
  readonly index: SearchIndex
  readonly code: CodeGraph
  /** Accessed with the caller's permissions. */
  readonly shared: SharedDocuments
  /** Name of the caller. */
  readonly author: () => Promise<string>
  /** An embedder that takes next to no time, used while a caller waits. */
  readonly embedder: () => Promise<Embedder | undefined>
  /** Requests the missing vectors. */
  readonly lacksVectors: () => Promise<void>
}

/**
 * The memory of a project shared by many people: texts are stored next to the index, and there are no folders to read.
 */
export function openSharedMemory(parts: SharedMemoryParts): Memory {
  const { shared, project } = parts
  const index = listedWithin(parts, MOST_LISTED)
  const searching: SearchParts = {
    index,
    embedder: parts.embedder,
    models: NO_MODELS,
    texts: (documents) => textsAtHand(shared, documents),
  }
  const read = openSessionReader()
  const find = async (id: string, within: SearchScope['within']) => {
    const found = await findShared(index, id, scopeFilter({ within }))
    return found && { ...found, texts: await textsAtHand(shared, [found.document]) }
  }
  return {
    code: parts.code,
    browser: {
      page: (question) => browseMemory(searching, question),
      survey: (question) => surveyMemory(searching, question),
      async session(id, within) {
        const found = await find(id, within)
        return found?.document.origin === 'session' ? read(found.texts, found) : undefined
      },
      // Only authors share their texts.
      async *shareable() {},
    },
    search: (question) => searchMemory(searching, question),
    async read(id, { within, from, lines }) {
      const found = await find(id, within)
      if (found === undefined) return undefined
      const isNamed = from === undefined && lines === undefined
      const part = isNamed ? { from: found.from, lines: found.lines } : { from: from ?? found.from, lines }
      return readPart(found.texts, found.document, { ...part, within })
    },
    async match(glob, _cwd, within) {
      const matches = compileGlob(glob)
      if (matches === undefined) return []
      return (await index.documents({}))
        .filter(scopeFilter({ within }))
        .filter(({ origin, entry }) => origin !== 'note' || entry !== undefined)
        .filter(({ path, collection }) => matches(path) || matches(`${collection}/${path}`))
        .map(({ key }) => key)
    },
    async holds(scope) {
      const { documents, tags } = await shared.holds(scope)
      return { documents, tags: async () => tags }
    },
    async write(note) {
      const { value, count } = redactDeep({ content: note.content, tags: note.tags })
      const now = parts.clock.now()
      const path = `notes/${now.toISOString().slice(0, 10)}/${parts.clock.ulid()}.md`
      const given = { path, share: undefined, author: await parts.author(), modified: now.getTime() }
      const quick = await parts.embedder().catch(() => undefined)
      const { chunks, embedded } = await indexShared({ project, shared, quick }, [
        { ...given, origin: 'note', text: value.content, tags: value.tags },
      ])
      if (embedded < chunks) await parts.lacksVectors()
      return { path, line: 1, redacted: count, owner: { kind: 'project', ...project } }
    },
    async update() {
      await parts.lacksVectors()
      return { busy: false, added: 0, changed: 0, removed: 0, unchanged: 0, embedded: 0, skipped: [] }
    },
    async status() {
      const status = await index.status()
      const embedder = await withDeadline(parts.embedder(), EMBEDDER_DEADLINE, 'it did not answer in time').catch(
        (error: Error) => error,
      )
      const isThere = embedder !== undefined && !(embedder instanceof Error)
      return {
        ...status,
        embedder: isThere ? embedder.id : undefined,
        embedderFault: embedder instanceof Error ? embedder.message : undefined,
        pending: isThere ? status.chunks - (status.vectors[embedder.id] ?? 0) : 0,
        sessionBytes: 0,
        missing: [],
      }
    },
    close: () => index.close(),
  }
}

const EMBEDDER_DEADLINE = 5_000
/** About 15 MB of a replica's memory while the documents are listed. */
const MOST_LISTED = 20_000

/** An index that lists at most as many documents as a replica has room for; search is not limited. */
export function listedWithin(
  { index, shared }: Pick<SharedMemoryParts, 'index'> & { readonly shared: Pick<SharedDocuments, 'holds'> },
  most: number,
): SearchIndex {
  return {
    ...index,
    async documents(like) {
      if (like.key === undefined && like.path === undefined && (await shared.holds({})).documents > most)
        throw new AppError('unavailable', `This memory has more than ${most} documents, too many to list.`, {
          hint: 'Search it, or name a document by its id.',
        })
      return index.documents(like)
    },
  }
}

const NO_MODELS: SearchModels = {
  isOn: async () => false,
  expand: async () => undefined,
  rerank: async () => undefined,
}

/** Fetches all texts with one query. A text is in the state in which it was indexed, so its lines match the index. */
async function textsAtHand(
  shared: Pick<SharedDocuments, 'texts'>,
  documents: readonly StoredDocument[],
): Promise<Texts> {
  const found = new Map((await shared.texts(documents.map(({ id }) => id))).map((one) => [one.document.path, one]))
  return {
    text: ({ path }) => found.get(path)?.text,
    stamp: (path) => found.get(path)?.document,
    author: ({ path }) => found.get(path)?.author,
  }
}

/** Finds a document by id or path, optionally followed by lines. */
async function findShared(
  index: SearchIndex,
  name: string,
  isMeant: (document: StoredDocument) => boolean,
): Promise<{ document: StoredDocument; from?: number; lines?: number } | undefined> {
  const first = async (id: string) => {
    const byKey = /^#?[0-9a-f]{12}$/.test(id) ? await index.documents({ key: id.replace('#', '') }) : []
    return byKey.find(isMeant) ?? (await index.documents({ path: id })).find(isMeant)
  }
  const { id, ...lines } = readReference(name)
  const document = await first(id)
  if (document !== undefined) return { document, ...lines }
  const named = id === name ? undefined : await first(name)
  return named && { document: named }
}
