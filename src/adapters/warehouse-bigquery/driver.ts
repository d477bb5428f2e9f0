import { AppError } from '../../core/errors.ts'
import { cellFromUnknown, collectRows } from '../../core/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { BigqueryConnection } from './index.ts'

interface Sdk {
  BigQuery: new (options: Record<string, unknown>) => { createQueryJob(options: Record<string, unknown>): Promise<readonly [Job]> }
}
interface Job {
  readonly metadata: { statistics?: { query?: { statementType?: string } } }
  getQueryResults(options: Record<string, unknown>): Promise<readonly [readonly Record<string, unknown>[], unknown, Page?]>
  cancel(): Promise<unknown>
}
interface Page {
  readonly schema?: { readonly fields?: readonly { readonly name: string; readonly type: string }[] }
}

export async function openBigqueryDriver(given: BigqueryConnection): Promise<Driver> {
  const { BigQuery } = await loadDriver<Sdk>('@google-cloud/bigquery', 'BigQuery')
  const client = new BigQuery({
    projectId: given.project,
    location: given.location,
    ...(given.credentials_path === undefined ? {} : { keyFilename: given.credentials_path }),
    ...(given.credentials_json === undefined ? {} : { credentials: JSON.parse(given.credentials_json) as unknown }),
  })
  const shared = {
    useLegacySql: false,
    ...(given.dataset === undefined ? {} : { defaultDataset: { projectId: given.project, datasetId: given.dataset } }),
  }
  return {
    async run(sql, limits, canStop) {
      // A dry run costs nothing and tells what BigQuery itself takes the statement for.
      const [plan] = await client.createQueryJob({ ...shared, query: sql, dryRun: true })
      const type = plan.metadata.statistics?.query?.statementType
      if (type !== 'SELECT') throw new AppError('invalid_input', `${type ?? 'this'} is not a read`, { hint: 'Send a SELECT.' })
      const [job] = await client.createQueryJob({ ...shared, query: sql, maximumBytesBilled: String(given.max_bytes_billed), jobTimeoutMs: limits.milliseconds })
      canStop(async () => void (await job.cancel()))
      const [rows, , page] = await job.getQueryResults({ maxResults: limits.rows + 1, autoPaginate: false })
      const columns = (page?.schema?.fields ?? []).map(({ name, type }) => ({ name, type }))
      const collector = collectRows(limits)
      for (const row of rows) if (!collector.add(columns.map(({ name }) => cellFromUnknown(row[name])))) break
      return collector.finish(columns)
    },
    close: async () => undefined,
  }
}
