import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { serveBigquery } from '../vendors/bigquery-server.ts'
import type { Reply, VendorServer } from '../vendors/reply.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let server: VendorServer
let desk: ContextDesk
let modified = '2026-02-03 04:05:06+00'
beforeEach(async () => {
  server = await serveBigquery(answer)
  desk = openContextDesk({ CREDENTIALS: String(server.connection['credentials_json']) })
  configure({})
})
afterEach(async () => {
  await desk.close()
  await server.close()
})

const configure = (more: object): void =>
  desk.configure({
    name: 'shop',
    databases: [
      {
        name: 'shop',
        type: 'bigquery',
        project: 'acme-data',
        dataset: 'shop',
        location: 'EU',
        credentials_json: '${CREDENTIALS}',
        ...more,
      },
    ],
  })

const text = (...names: string[]) => names.map((name) => ({ name, type: 'text' as const }))
const GIGABYTE = 1024 ** 3
const LARGE = `sized_${5 * GIGABYTE}`
const SMALL = `sized_${GIGABYTE / 4}`

/** Two tables: a large one, and one of a quarter of a gigabyte. */
function answer(sql: string): Reply {
  if (sql.includes('INFORMATION_SCHEMA.TABLES'))
    return {
      columns: text('schema_name', 'table_name', 'kind', 'row_estimate', 'byte_estimate', 'changed_at', 'data_mark'),
      rows: [LARGE, SMALL].map((name) => [
        'shop',
        name,
        'BASE TABLE',
        '1000',
        name.slice('sized_'.length),
        modified,
        `1000 ${modified}`,
      ]),
    }
  if (sql.includes('INFORMATION_SCHEMA.COLUMNS'))
    return {
      columns: text('schema_name', 'table_name', 'column_name', 'data_type', 'nullable'),
      rows: [LARGE, SMALL].map((name) => ['shop', name, 'id', 'INT64', 'NO']),
    }
  if (sql.includes('INFORMATION_SCHEMA.JOBS')) return { columns: text('sql_text', 'times', 'last_seen'), rows: [] }
  return { columns: [{ name: 'ken_total', type: 'bigint' }], rows: [[1000]] }
}

test('the cost of a statement is estimated first, and an expensive one is refused without running', async () => {
  configure({ max_bytes_billed: 3 * GIGABYTE })
  await desk.sync()
  server.begun.length = 0
  await expect(desk.run('execute_sql', { sql: `SELECT id FROM ${LARGE}` })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('it would read 5.0 GB, and may read 3.0 GB'),
    hint: expect.stringContaining('max_bytes_billed'),
  })
  expect(server.begun).toEqual([])
  const { notes } = await desk.run('execute_sql', { sql: `SELECT id FROM ${SMALL}` })
  expect(notes).toEqual(['The engine bills 256 MB for it.'])
})

test('a profile stays below its own limit, the file reports it, and the bytes are shown before and after', async () => {
  const before = await desk.sync({ dry_run: true })
  expect(before.sources).toMatchObject([{ billed_bytes: 1.25 * GIGABYTE }])
  expect(syncSources.render(before, {} as never)).toContain('would be billed for up to 1.3 GB')
  const { checks } = await desk.run('debug', {})
  expect(checks[0]).toMatchObject({ found: '2 tables, up to 1.3 GB to profile' })
  const output = await desk.sync()
  expect(output.failures).toEqual([])
  expect(server.begun.filter((sql) => sql.includes(LARGE))).toEqual([])
  const folder = (name: string): string => `databases/type=bigquery/database=acme-data/schema=shop/table=${name}`
  expect(desk.read(`${folder(LARGE)}/profiling.md`)).toContain(
    'Not profiled: id; reading more than 1.0 GB needs a larger profiling.max_bytes.',
  )
  expect(desk.read(`${folder(LARGE)}/preview.md`)).toContain('costs more than `profiling.max_bytes` allows')
  expect(desk.read(`${folder(SMALL)}/profiling.md`)).toContain('Computed on all 1,000 rows.')
  // A quarter each for its rows and its profile.
  expect(output.sources[0]!.billed_bytes).toBe(GIGABYTE / 2)
  expect(desk.read(`${folder(SMALL)}/how_to_use.md`)).toContain('data_changed_at: 2026-02-03T04:05:06Z')
})

test('reads nothing while the time of the last write is unchanged', async () => {
  await desk.sync()
  server.begun.length = 0
  expect((await desk.sync()).due).toEqual([])
  expect(server.begun.filter((sql) => !sql.includes('INFORMATION_SCHEMA'))).toEqual([])
  modified = '2026-03-04 05:06:07+00'
  expect((await desk.sync({ check: true })).due.map(({ reason }) => reason)).toEqual(['data', 'data'])
})
