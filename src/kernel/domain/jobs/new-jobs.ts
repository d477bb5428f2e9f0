import { AppError } from '../errors.ts'
import { JOB_KINDS, type JobKind, type NewJob } from './job.ts'

export const MOST_JOBS_AT_ONCE = 1_000
const LONGEST_PAYLOAD = 1_000_000
const LONGEST_KEY = 200
const LONGEST_REASON = 2_000

/** Job as a queue stores it. */
export interface JobRow {
  readonly kind: JobKind
  readonly key: string | null
  /** JSON as text, because PostgreSQL's own JSON cannot contain character 0. */
  readonly payload: string
  readonly runAt: string | null
}

/**
 * Rows to insert; of several jobs with the same kind and key, only the last. Throws `invalid_input` for exceeded
 * bounds.
 */
export function jobRows(jobs: readonly NewJob[]): readonly JobRow[] {
  if (jobs.length > MOST_JOBS_AT_ONCE) throw refused(`more than ${MOST_JOBS_AT_ONCE} jobs at once`)
  const rows = new Map<string, JobRow>()
  for (const [at, job] of jobs.entries()) {
    const row = rowOf(job)
    rows.set(row.key === null ? String(at) : `${row.kind} ${row.key}`, row)
  }
  return [...rows.values()]
}

/** Reason as stored: one text of bounded length that any database accepts. */
export const keptReason = (reason: string): string =>
  reason.slice(0, LONGEST_REASON).replaceAll('\0', '').toWellFormed()

function rowOf({ kind, key, payload, runAt }: NewJob): JobRow {
  if (!Object.hasOwn(JOB_KINDS, kind)) throw refused(`a job of the unknown kind "${String(kind)}"`)
  const text = JSON.stringify(payload ?? null)
  if (text.length > LONGEST_PAYLOAD) throw refused(`a job with a payload of ${text.length} characters`)
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY || /\p{C}/u.test(key)))
    throw refused(`a job whose key is not 1 to ${LONGEST_KEY} visible characters`)
  if (runAt !== undefined && Number.isNaN(Date.parse(runAt))) throw refused('a job with a time that is none')
  return { kind, key: key ?? null, payload: text, runAt: runAt === undefined ? null : new Date(runAt).toISOString() }
}

const refused = (what: string): AppError =>
  new AppError('invalid_input', `The queue does not accept ${what}.`, {
    hint: `A payload has at most ${LONGEST_PAYLOAD} characters; the kinds are ${Object.keys(JOB_KINDS).join(', ')}.`,
  })
