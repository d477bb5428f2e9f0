import type { CodeOutline } from '../core/chunking/code-outline.ts'
import type { UpdateReport } from '../ports/memory.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import { prepareBatch, type Candidate } from './prepare-batch.ts'

export type Counts = Pick<UpdateReport, 'added' | 'changed' | 'removed' | 'unchanged' | 'skipped'>

export const noCounts = () => ({
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  skipped: [] as Counts['skipped'][number][],
})

export function addCounts(total: ReturnType<typeof noCounts>, more: Counts): void {
  total.added += more.added
  total.changed += more.changed
  total.removed += more.removed
  total.unchanged += more.unchanged
  total.skipped.push(...more.skipped)
}

/** Reads some files and puts them into the index, all of them or none. */
export async function indexBatch(
  index: Pick<SearchIndex, 'write'>,
  candidates: readonly Candidate[],
  outlineOf?: (text: string, path: string) => CodeOutline | undefined,
): Promise<Counts> {
  const known = new Set(candidates.filter(({ knownHash }) => knownHash !== undefined).map(({ place }) => place.path))
  const { skipped, ...batch } = prepareBatch(candidates, outlineOf)
  const removed = skipped.filter(({ path }) => known.has(path)).map(({ collection, path }) => ({ collection, path }))
  if (batch.documents.length + batch.restamped.length + removed.length > 0) await index.write({ ...batch, removed })
  const changed = batch.documents.filter(({ facts }) => known.has(facts.path)).length
  return {
    added: batch.documents.length - changed,
    changed,
    removed: removed.length,
    unchanged: batch.restamped.length,
    skipped: skipped.map(({ path, reason }) => ({ path, reason })),
  }
}
