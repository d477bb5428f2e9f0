import type { Meaning, SemanticQuery } from '../../core/record/rank-decisions.ts'
import { measureLine, type Statement } from '../../core/record/record-line.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { IndexedCorpus } from './corpus.ts'

interface LineJob {
  readonly embedder: string
  /** Decisions without a vector. */
  readonly missing: number
  readonly statements: () => Promise<readonly Statement[]>
  readonly look: (question: SemanticQuery) => Promise<Meaning | undefined>
}

// A change of less than one decision in a hundred moves the line by less than two proposals can be told apart by.
const WORTH_MEASURING = 100

/** The line of a record, measured again when the record has changed enough, also by another process. */
export function openLines(cache: CacheDatabase) {
  // A corpus is void once the record changes.
  const measured = new WeakMap<IndexedCorpus, { readonly job: string; readonly line: number }>()
  return {
    async of(record: IndexedCorpus, job: LineJob): Promise<number> {
      const key = `${job.embedder} ${job.missing}`
      const known = measured.get(record)
      if (known?.job === key) return known.line
      const line = stored(cache, record, job) ?? (await measure(cache, record, job))
      measured.set(record, { job: key, line })
      return line
    },
  }
}

/** While vectors are still missing, any line of this record is better than measuring it again and again. */
function stored(cache: CacheDatabase, record: IndexedCorpus, { embedder, missing }: LineJob): number | undefined {
  const [row] = cache.rows('SELECT docs, decisions, missing, line FROM lines WHERE embedder = ?', embedder) as [
    number,
    number,
    number,
    number,
  ][]
  if (row === undefined) return undefined
  const [docs, decisions, lacked, line] = row
  if (missing > 0) return line
  const changed = cache.number('next_doc') - docs + Math.abs(record.text.size - decisions) + lacked
  return changed === 0 || changed * WORTH_MEASURING < record.text.size ? line : undefined
}

async function measure(cache: CacheDatabase, record: IndexedCorpus, job: LineJob): Promise<number> {
  const line = await measureLine(record, await job.statements(), job.look)
  const state = [cache.number('next_doc'), record.text.size, job.missing]
  cache.run('INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?, ?)', job.embedder, ...state, line)
  return line
}
