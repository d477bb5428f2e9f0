import { describe, expect, test } from 'vitest'
import { collectRows } from '../src/context/domain/sql/query.ts'
import { openRemoteWarehouse, type Driver } from '../src/context/warehouse/remote-warehouse.ts'
import { recordingOf, REMOTE_ENGINES } from './remote-engines.ts'

// Athena and Trino report nothing about the rows of a table.
const TELLING = REMOTE_ENGINES.filter(({ name }) => name !== 'athena' && name !== 'trino')

/** Texts that the SQL for each engine must contain. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  bigquery: ['MAX(last_modified_time)', 'total_logical_bytes'],
  clickhouse: ['system.parts', 'max_block_number', 'data_version'],
  databricks: ['last_altered'],
  mssql: ['dm_db_index_usage_stats', 'last_user_update'],
  redshift: ['svv_table_info', 'tbl_rows'],
  snowflake: ['LAST_ALTERED', 'BYTES'],
}

describe.each(TELLING)('$name', ({ name, type, engine }) => {
  const recording = recordingOf(name)
  const sent: string[] = []
  /** The recorded catalogue, with this mark and this time for every table. */
  const driver = (mark: string): Driver => ({
    async run(sql, limits) {
      sent.push(sql)
      if (sql.includes('dm_db_index_usage_stats')) return written(mark, limits)
      const found = recording.answers.find(({ contains }) => contains.every((part) => sql.includes(part)))
      const collector = collectRows(limits)
      if (!found) return collector.finish([])
      const isTables = sql.includes('AS data_mark')
      for (const row of found.rows) collector.add(isTables ? [...row, mark, '2026-02-03 04:05:06'] : row)
      const names = [...found.columns, ...(isTables ? ['data_mark', 'changed_at'] : [])]
      return collector.finish(names.map((column) => ({ name: column, type: 'text' })))
    },
    close: async () => undefined,
  })
  /** SQL Server reports writes in a separate statement. */
  const written = (mark: string, limits: Parameters<typeof collectRows>[0]) => {
    const collector = collectRows(limits)
    collector.add([(recording.orders as { schema: string }).schema, 'orders', mark, '2026-02-03T04:05:06'])
    return collector.finish(
      ['schema_name', 'table_name', 'data_mark', 'changed_at'].map((column) => ({ name: column, type: 'text' })),
    )
  }
  const orders = async (mark: string) => {
    const warehouse = await openRemoteWarehouse(
      engine(type.connection.parse(recording.connection) as never),
      driver(mark),
    )
    return (await warehouse.tables()).find((table) => table.name.toLowerCase() === 'orders')!
  }

  test('a table has a mark besides its fingerprint, from metadata of the engine', async () => {
    const [before, same, after] = [await orders('1'), await orders('1'), await orders('2')]
    expect(before.mark).toBeDefined()
    expect(same.mark).toBe(before.mark)
    expect(after.mark).not.toBe(before.mark)
    expect(after.fingerprint).toBe(before.fingerprint)
    expect(SOURCES[name]!.every((part) => sent.some((sql) => sql.includes(part)))).toBe(true)
  })

  test('the time of the last change has the same format for every engine', async () => {
    expect((await orders('1')).changedAt).toBe('2026-02-03T04:05:06Z')
  })
})
