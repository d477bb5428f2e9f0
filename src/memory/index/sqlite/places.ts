import type { DocumentFacts } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { IndexDatabase } from './database.ts'
import type { Head } from './head.ts'
import { minus, mustBe, plus, sealOf } from './seal.ts'

/** Properties shared by documents that a search filters by, with counts. */
export interface Place {
  readonly id: number
  readonly collection: string
  readonly origin: DocumentFacts['origin']
  readonly workspace: string
  /** Empty for none. */
  readonly project: string
  /** Documents with searchable content. */
  documents: number
  chunks: number
  /** Tally of the seals of the place's documents. */
  tally: number
}

const COLUMNS = 'id, collection, origin, project_hash, project, documents, chunks, tally, seal'

export function placesOf(database: IndexDatabase, head: Head): Place[] {
  let tally = 0
  const places = (
    database.rows(`SELECT ${COLUMNS} FROM place`) as [
      number,
      string,
      Place['origin'],
      string,
      string,
      number,
      number,
      number,
      number,
    ][]
  ).map(([id, collection, origin, workspace, project, documents, chunks, own, seal]) => {
    const place = { id, collection, origin, workspace, project, documents, chunks, tally: own }
    mustBe(sealOfPlace(place), seal, 'a place is')
    tally = plus(tally, seal)
    return place
  })
  mustBe(tally, head.places, 'its places are')
  return places
}

/** Places as changed within one transaction. */
export function openPlaces(database: IndexDatabase, head: Head) {
  const places = new Map(placesOf(database, head).map((place) => [keyOf(place), place]))
  const byId = new Map([...places.values()].map((place) => [place.id, place]))
  const sealBefore = new Map([...byId.values()].map((place) => [place.id, sealOfPlace(place)]))

  let nextId = [...byId.keys()].reduce((most, id) => Math.max(most, id), 0) + 1

  return {
    of({
      collection,
      origin,
      workspace,
      project = '',
    }: Pick<DocumentFacts, 'collection' | 'origin' | 'workspace' | 'project'>): Place {
      const known = places.get(keyOf({ collection, origin, workspace, project }))
      if (known !== undefined) return known
      const place = { id: nextId++, collection, origin, workspace, project, documents: 0, chunks: 0, tally: 0 }
      places.set(keyOf(place), place)
      byId.set(place.id, place)
      return place
    },
    add(id: number, document: { readonly seal: number; readonly chunks: number }): void {
      const place = byId.get(id)!
      place.documents += document.chunks === 0 ? 0 : 1
      place.chunks += document.chunks
      place.tally = plus(place.tally, document.seal)
    },
    take(id: number, document: { readonly seal: number; readonly chunks: number }): void {
      const place = byId.get(id)!
      place.documents -= document.chunks === 0 ? 0 : 1
      place.chunks -= document.chunks
      place.tally = minus(place.tally, document.seal)
    },
    keep(): void {
      for (const place of byId.values()) {
        const [before, seal] = [sealBefore.get(place.id) ?? 0, sealOfPlace(place)]
        if (before === seal) continue
        const { id, collection, origin, workspace, project, documents, chunks, tally } = place
        database.run(
          'INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
          id,
          collection,
          origin,
          workspace,
          project,
          documents,
          chunks,
          tally,
          seal,
        )
        head.places = plus(minus(head.places, before), seal)
      }
    },
  }
}

const keyOf = ({
  collection,
  origin,
  workspace,
  project,
}: Pick<Place, 'collection' | 'origin' | 'workspace' | 'project'>): string =>
  JSON.stringify([collection, origin, workspace, project])

const sealOfPlace = ({ id, collection, origin, workspace, project, documents, chunks, tally }: Place): number =>
  sealOf(id, collection, origin, workspace, project, documents, chunks, tally)
