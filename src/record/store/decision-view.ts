import { type Catalogue, byNumber, withTrust } from '../domain/decision/catalogue.ts'
import type { Identities } from '../domain/journal/decision-identity.ts'
import type { CacheDatabase } from './cache-database.ts'
import { type CorpusChoice, type IndexedCorpus, type ReadableRow, openCorpusCache } from './corpus.ts'
import type { FileRow } from './file-rows.ts'

/** The decisions at one moment. */
export interface DecisionView {
  readonly catalogue: Catalogue
  readonly corpus: (choice: CorpusChoice) => IndexedCorpus
}

export function makeView(
  cache: CacheDatabase,
  rows: ReadonlyMap<string, FileRow>,
  { proposed, identities }: { readonly proposed: ReadonlySet<string>; readonly identities: () => Identities },
): DecisionView {
  const readable = [...rows.values()]
    .filter((row): row is ReadableRow => row.entry !== undefined && row.doc !== null)
    .map((row) => (proposed.has(row.stem) ? { ...row, entry: withTrust(row.entry, proposed) } : row))
  readable.sort((a, b) => byNumber(a.entry, b.entry))
  const faults = [...rows.values()].flatMap(({ fault }) => fault ?? [])
  return {
    catalogue: {
      decisions: readable.map(({ entry }) => entry),
      unreadable: faults.sort((a, b) => (a.path < b.path ? -1 : 1)),
      identities,
    },
    corpus: openCorpusCache(cache, readable),
  }
}

// Replaced documents stay in the postings until they outnumber the current ones.
export const isWasteful = (cache: CacheDatabase, living: number): boolean =>
  cache.number('next_doc') > 2 * living + 8192
