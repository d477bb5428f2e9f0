import { createHash } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import type { DocumentFacts, Superseded } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { StoredDocument } from '../../ports/search-index.ts'
import type { IndexDatabase } from './database.ts'
import { placesOf } from './places.ts'
import { mustBe, plus, sealOf } from './seal.ts'

/** Document data that every search needs. */
export interface DocumentCore {
  readonly id: number
  readonly place: number
  readonly modified: number
  readonly superseded: string | null
  readonly firstChunk: number
  readonly chunks: number
  readonly generation: number
  /** Seal of the document's outline; 0 for none. */
  readonly outline: number
  /** Seal of all other facts about the document. */
  readonly facts: number
  readonly seal: number
}

const CORE = 'id, place, modified, laid_aside, first_chunk, chunks, generation, outline, facts, seal'
const FACTS = 'collection, path, title, origin, trust, project_hash, project, tags, size, mtime, hash, entry'
const CORE_COLUMNS = 10

/** Id of a document: the same in every index ever made, and small enough for an exact number (48 bits). */
export const documentId = ({ collection, path, entry }: Pick<DocumentFacts, 'collection' | 'path' | 'entry'>): number =>
  createHash('sha256')
    .update([collection, path, ...(entry === undefined ? [] : [entry])].join('\0'))
    .digest()
    .readUIntBE(0, 6)

/**
 * Documents added after a generation, by id, read during iteration. The caller must check that they are complete.
 */
export function* coresSince(database: IndexDatabase, generation: number): Generator<DocumentCore> {
  const rows =
    generation === -1
      ? database.each(`SELECT ${CORE} FROM document ORDER BY id`)
      : database.each(`SELECT ${CORE} FROM document WHERE generation > ? ORDER BY id`, generation)
  for (const row of rows) yield toCore(row)
}

export function coreOf(database: IndexDatabase, id: number): DocumentCore | undefined {
  const [row] = database.rows(`SELECT ${CORE} FROM document WHERE id = ?`, id)
  return row && toCore(row)
}

/** Every document, or those of one collection, if `where` accepts them. Must be called inside `look`. */
export function allDocuments(
  database: IndexDatabase,
  collection?: string,
  where: (document: StoredDocument) => boolean = () => true,
): StoredDocument[] {
  const places = placesOf(database, database.head()).filter(
    (place) => collection === undefined || place.collection === collection,
  )
  let tally = 0
  const documents: StoredDocument[] = []
  const take = (rows: Iterable<SQLInputValue[]>): void => {
    for (const row of rows) {
      tally = plus(tally, row[CORE_COLUMNS - 1] as number)
      const document = toDocument(row, shared)
      if (where(document)) documents.push(document)
    }
  }
  const shared = shareTexts()
  if (collection === undefined) take(database.each(`SELECT ${CORE}, ${FACTS} FROM document`))
  else for (const { id } of places) take(database.each(`SELECT ${CORE}, ${FACTS} FROM document WHERE place = ?`, id))
  mustBe(
    tally,
    places.reduce((sum, place) => plus(sum, place.tally), 0),
    'its documents are',
  )
  return documents.sort(
    (a, b) => compare(a.path, b.path) || compare(a.collection, b.collection) || compare(a.entry ?? '', b.entry ?? ''),
  )
}

/** Reads a document; throws if it is missing. */
export function documentOf(database: IndexDatabase, id: number): StoredDocument {
  const [row] = database.rows(`SELECT ${CORE}, ${FACTS} FROM document WHERE id = ?`, id)
  if (row === undefined) throw new IndexDamaged('a document is gone')
  return toDocument(row)
}

export interface DocumentPlacing {
  readonly place: number
  readonly first: number
  readonly count: number
  readonly generation: number
  readonly outline: number
}

/** Inserts or replaces a document and returns its seal. */
export function putDocument(
  database: IndexDatabase,
  facts: DocumentFacts,
  { place, first, count, generation, outline }: DocumentPlacing,
): number {
  const own = [
    facts.collection,
    facts.path,
    facts.title,
    facts.origin,
    facts.trust,
    facts.workspace,
    facts.project ?? null,
    JSON.stringify(facts.tags),
    facts.size,
    facts.mtime,
    facts.hash,
    facts.entry ?? null,
  ]
  const core = [
    documentId(facts),
    place,
    facts.modified,
    facts.superseded === undefined ? null : [facts.superseded.as, facts.superseded.by ?? []].flat().join(' '),
    first,
    count,
    generation,
    outline,
    sealOf(...own),
  ]
  const seal = sealOf(...core)
  database.run(PUT, ...core, seal, ...own)
  return seal
}

const PUT = `INSERT OR REPLACE INTO document (${CORE}, ${FACTS}) VALUES (${Array.from({ length: CORE_COLUMNS + FACTS.split(',').length }, () => '?').join(', ')})`

function toCore(row: readonly SQLInputValue[]): DocumentCore {
  const [id, place, modified, superseded, firstChunk, chunks, generation, outline, facts, seal] = row as [
    number,
    number,
    number,
    string | null,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  mustBe(sealOf(id, place, modified, superseded, firstChunk, chunks, generation, outline, facts), seal, 'a document is')
  return { id, place, modified, superseded, firstChunk, chunks, generation, outline, facts, seal }
}

const NO_TAGS: readonly string[] = []

/** Returns one and the same string for equal texts: thousands of documents have the same few. */
function shareTexts(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    known.set(text, text)
    return text
  }
}

function toDocument(row: readonly SQLInputValue[], shared = (text: string): string => text): StoredDocument {
  const { id, modified, superseded, facts } = toCore(row)
  mustBe(sealOf(...row.slice(CORE_COLUMNS)), facts, 'a document is')
  const [collection, path, title, origin, trust, workspace, project, tags, size, mtime, hash, entry] = row.slice(
    CORE_COLUMNS,
  ) as [
    string,
    string,
    string,
    StoredDocument['origin'],
    StoredDocument['trust'],
    string,
    string | null,
    string,
    number,
    number,
    string,
    string | null,
  ]
  return {
    id,
    key: id.toString(16).padStart(12, '0'),
    collection: shared(collection),
    path,
    title,
    origin: shared(origin) as StoredDocument['origin'],
    trust: shared(trust) as StoredDocument['trust'],
    workspace: shared(workspace),
    modified,
    size,
    mtime,
    hash,
    tags: tags === '[]' ? NO_TAGS : (JSON.parse(tags) as string[]),
    project: project === null ? undefined : shared(project),
    superseded: superseded === null ? undefined : toSuperseded(superseded),
    entry: entry ?? undefined,
  }
}

/** Splits off the first word. */
function toSuperseded(text: string): Superseded {
  const [, as, by] = /^(\S*) ?(.*)$/s.exec(text)!
  return { as: as!, by: by === '' ? undefined : by }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
