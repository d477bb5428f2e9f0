import { AppError } from '../../../kernel/domain/errors.ts'
import { inBytes } from '../../../kernel/domain/text.ts'
import {
  cellFromDecimal,
  cellFromUnknown,
  collectRows,
  type QueryLimits,
  type QueryResult,
} from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { BigqueryConnection } from './index.ts'

interface Sdk {
  BigQuery: new (options: Record<string, unknown>) => {
    createQueryJob(options: Record<string, unknown>): Promise<readonly [Job]>
    dataset(id: string): { getMetadata(): Promise<readonly [{ readonly location?: string }]> }
  }
}
interface Job {
  readonly metadata: { statistics?: { totalBytesProcessed?: string; query?: { statementType?: string } } }
  getQueryResults(
    options: Record<string, unknown>,
  ): Promise<readonly [readonly Record<string, unknown>[], Record<string, unknown> | null, Page?]>
  cancel(): Promise<unknown>
}
interface Page {
  readonly schema?: { readonly fields?: readonly { readonly name: string; readonly type: string }[] }
}

/** Driver with the location that its statements run in. */
export async function openBigqueryDriver(given: BigqueryConnection): Promise<Driver & { readonly location: string }> {
  const { BigQuery } = await loadDriver<Sdk>('@google-cloud/bigquery', 'BigQuery')
  const client = new BigQuery({
    projectId: given.project,
    ...(given.credentials_path === undefined ? {} : { keyFilename: given.credentials_path }),
    ...(given.credentials_json === undefined ? {} : { credentials: JSON.parse(given.credentials_json) as unknown }),
  })
  // A dataset is only found in its own location.
  const own =
    given.dataset === undefined || given.location !== undefined ? [] : await client.dataset(given.dataset).getMetadata()
  const location = given.location ?? own[0]?.location ?? 'US'
  const shared = {
    location,
    useLegacySql: false,
    ...(given.dataset === undefined ? {} : { defaultDataset: { projectId: given.project, datasetId: given.dataset } }),
  }
  return {
    location,
    async run(sql, limits, canStop) {
      // A dry run costs nothing and returns BigQuery's own classification of the statement.
      const [plan] = await client.createQueryJob({ ...shared, query: sql, dryRun: true })
      const type = plan.metadata.statistics?.query?.statementType
      if (type !== 'SELECT')
        throw new AppError('invalid_input', `${type ?? 'this'} is not read-only`, { hint: 'Send a SELECT.' })
      const bytes = Number(plan.metadata.statistics?.totalBytesProcessed ?? 0)
      const most = Math.min(given.max_bytes_billed, limits.scan ?? Infinity)
      if (bytes > most) throw tooDear(bytes, most)
      const [job] = await client.createQueryJob({
        ...shared,
        query: sql,
        maximumBytesBilled: String(most),
        jobTimeoutMs: limits.milliseconds,
      })
      canStop(async () => void (await job.cancel()))
      return { ...(await readPages(job, limits)), billedBytes: bytes }
    },
    close: async () => undefined,
  }
}

const tooDear = (bytes: number, most: number): AppError =>
  new AppError('invalid_input', `it would read ${inBytes(bytes)}, and may read ${inBytes(most)}`, {
    hint: 'Select fewer columns, filter on the partition, or raise `max_bytes_billed` in ken.yaml.',
    details: { reason: 'cost', bytes },
  })

/** A page also ends at its size limit, so it may be shorter than requested. */
async function readPages(job: Job, limits: QueryLimits): Promise<QueryResult> {
  const collector = collectRows(limits)
  let columns: QueryResult['columns'] = []
  let next: Record<string, unknown> | null = {
    maxResults: limits.rows + 1,
    autoPaginate: false,
    wrapIntegers: true,
  }
  while (next) {
    const [rows, following, page]: Awaited<ReturnType<Job['getQueryResults']>> = await job.getQueryResults(next)
    if (columns.length === 0) columns = (page?.schema?.fields ?? []).map(({ name, type }) => ({ name, type }))
    const names = columns.map(({ name }) => name)
    next = rows.every((row) => collector.add(names.map((name) => cellFromUnknown(unwrapped(row[name])))))
      ? following
      : null
  }
  return collector.finish(columns)
}

/** Integers come in a wrapper that keeps all 64 bits; without it the client would round them. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped)
  if (typeof value !== 'object' || value === null) return value
  const { type, value: digits } = value as { type?: unknown; value?: unknown }
  if (type === 'BigQueryInt') return cellFromDecimal(String(digits))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]))
}
