import type { Meaning, SemanticQuery } from '../../core/record/rank-decisions.ts'
import { measureLine, type Statement } from '../../core/record/record-line.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { IndexedCorpus } from './corpus.ts'

interface LineJob {
  readonly embedder: string
  /** Decisions without a vector. */
  readonly missing: number
  /** At most so many. */
  readonly statements: (most?: number) => Promise<readonly Statement[]>
  readonly look: (question: SemanticQuery) => Promise<Meaning | undefined>
}

// One decision in a hundred moves the line less than another sample does, and measuring costs as much as 250 checks.
const WORTH_MEASURING = 100
// While vectors are missing the line is provisional, and measured with fewer decisions.
const PROVISIONAL = 50

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

/** While vectors are missing, any line that was measured before will do. */
function stored(cache: CacheDatabase, record: IndexedCorpus, { embedder, missing }: LineJob): number | undefined {
  const [row] = cache.rows('SELECT docs, decisions, line FROM lines WHERE embedder = ?', embedder) as [
    number,
    number,
    number,
  ][]
  if (row === undefined) return undefined
  const [docs, decisions, line] = row
  if (missing > 0) return line
  const changed = cache.number('next_doc') - docs + Math.abs(record.text.size - decisions)
  return changed === 0 || changed * WORTH_MEASURING < record.text.size ? line : undefined
}

async function measure(cache: CacheDatabase, record: IndexedCorpus, job: LineJob): Promise<number> {
  if (job.missing > 0) return measureLine(record, await job.statements(PROVISIONAL), job.look)
  const line = await measureLine(record, await job.statements(), job.look)
  const state = [cache.number('next_doc'), record.text.size]
  cache.run('INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?)', job.embedder, ...state, line)
  return line
}
