import { AppError } from '../errors.ts'
import { JOB_KINDS, type JobKind, type NewJob } from './job.ts'

export const MOST_JOBS_AT_ONCE = 1_000
const LONGEST_PAYLOAD = 1_000_000
const LONGEST_KEY = 200
const LONGEST_REASON = 2_000

/** A job as a queue keeps it. */
export interface JobRow {
  readonly kind: JobKind
  readonly key: string | null
  /** JSON: a text, because PostgreSQL's own JSON holds no character 0. */
  readonly payload: string
  readonly runAt: string | null
}

/** Jobs as they are put in; of those with the same kind and key the last. Throws `invalid_input` for what is out of bounds. */
export function jobRows(jobs: readonly NewJob[]): readonly JobRow[] {
  if (jobs.length > MOST_JOBS_AT_ONCE) throw refused(`more than ${MOST_JOBS_AT_ONCE} jobs at once`)
  const rows = new Map<string, JobRow>()
  for (const [at, job] of jobs.entries()) {
    const row = rowOf(job)
    rows.set(row.key === null ? String(at) : `${row.kind} ${row.key}`, row)
  }
  return [...rows.values()]
}

/** A reason as it is kept: one text of bounded length that any database takes. */
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
  new AppError('invalid_input', `The queue does not take ${what}.`, {
    hint: `A payload has at most ${LONGEST_PAYLOAD} characters; the kinds are ${Object.keys(JOB_KINDS).join(', ')}.`,
  })
