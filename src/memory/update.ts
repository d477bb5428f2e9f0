import { packTerms } from '../core/ranking/packed-postings.ts'
import { throwIfStopped } from '../core/stop.ts'
import type { UpdateRequest } from '../ports/memory.ts'
import type { SearchIndex, StoredDocument } from '../ports/search-index.ts'
import type { CutCode } from './cut-code.ts'
import { indexAll } from './index-all.ts'
import { addCounts, noCounts, type Counts } from './index-batch.ts'
import type { Candidate } from './prepare-batch.ts'
import type { Source } from './sources.ts'

interface Job {
  readonly collection: string
  readonly cutCode: CutCode
  readonly signal?: UpdateRequest['signal']
  progress: UpdateRequest['progress']
}

const NO_POSTINGS = packTerms([], () => new Uint32Array())
const REMOVED_AT_ONCE = 2_000

/** Brings the index in line with the files: stamps are compared first, contents only where they differ. */
export async function updateIndex(
  index: SearchIndex,
  sources: readonly Source[],
  request: Pick<UpdateRequest, 'collections' | 'progress' | 'signal'> & { cutCode: CutCode },
): Promise<Counts> {
  const wanted = (collection: string) => request.collections === undefined || request.collections.includes(collection)
  const byCollection = Map.groupBy(
    sources.filter(({ collection }) => wanted(collection)),
    ({ collection }) => collection,
  )
  const gone = (request.collections ?? Object.keys((await index.status()).byCollection)).filter(
    (name) => !byCollection.has(name),
  )
  const total = noCounts()
  for (const [collection, own] of [...byCollection, ...gone.map((name) => [name, []] as const)]) {
    addCounts(total, await updateCollection(index, own, { ...request, collection }))
  }
  return total
}

async function updateCollection(index: SearchIndex, sources: readonly Source[], job: Job): Promise<Counts> {
  const known = new Map(
    (await index.documents({ collection: job.collection })).map((document) => [document.path, document]),
  )
  const found = await findCandidates(sources, known)
  const removed = [...known.keys()]
    .filter((path) => !found.paths.has(path))
    .map((path) => ({ collection: job.collection, path }))
  for (let at = 0; at < removed.length; at += REMOVED_AT_ONCE) {
    await index.write({
      documents: [],
      postings: NO_POSTINGS,
      restamped: [],
      removed: removed.slice(at, at + REMOVED_AT_ONCE),
    })
  }
  const written = await writeCandidates(index, found.candidates, job)
  return {
    ...written,
    skipped: [...found.overBudget, ...written.skipped],
    removed: removed.length + written.removed,
    unchanged: found.paths.size - found.candidates.length + written.unchanged,
  }
}

async function findCandidates(
  sources: readonly Source[],
  known: ReadonlyMap<string, StoredDocument>,
): Promise<{ candidates: Candidate[]; paths: Set<string>; overBudget: Counts['skipped'] }> {
  const candidates: Candidate[] = []
  const paths = new Set<string>()
  const overBudget: Counts['skipped'][number][] = []
  for (const source of sources) {
    const scan = await source.scan()
    overBudget.push(...scan.overBudget)
    for (const { path, relative, size, mtime } of scan.files) {
      // Nested sources of one collection meet the same file twice; the first one has it.
      if (paths.has(path)) continue
      paths.add(path)
      const place = source.place(relative)
      const found = known.get(path)
      const before = found !== undefined && isAtHome(found, place) ? found : undefined
      if (before !== undefined && before.size === size && before.mtime === mtime) continue
      candidates.push({
        place: { collection: source.collection, path, size, mtime, ...place },
        knownHash: before?.hash,
      })
    }
  }
  return { candidates, paths, overBudget }
}

/** False when the configuration gives the file another workspace or origin than it had. */
const isAtHome = (before: StoredDocument, place: ReturnType<Source['place']>): boolean =>
  before.workspace === place.workspace &&
  before.origin === place.origin &&
  before.project === place.project &&
  before.trust === place.trust

async function writeCandidates(index: SearchIndex, candidates: readonly Candidate[], job: Job): Promise<Counts> {
  const total = noCounts()
  for await (const counts of indexAll(index, candidates, job.cutCode)) {
    addCounts(total, counts)
    job.progress(
      `indexing ${job.collection}`,
      total.added + total.changed + total.unchanged + total.skipped.length,
      candidates.length,
    )
    throwIfStopped(job.signal)
  }
  return total
}
