import type { ReservedSql, Sql } from 'postgres'
import { fetchPostgresRows } from '../postgres-rows.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { RedshiftConnection } from './index.ts'

interface Sdk {
  default(options: Record<string, unknown>): Sql
}

/** Redshift speaks PostgreSQL's protocol. Every statement runs in a READ ONLY transaction. */
export async function openRedshiftDriver({
  host,
  port,
  database,
  user,
  password,
  ssl,
  schema,
}: RedshiftConnection): Promise<Driver> {
  const { default: postgres } = await loadDriver<Sdk>('postgres', 'Redshift')
  const sql = postgres({
    host,
    port,
    database,
    user,
    password,
    ssl: ssl ? 'require' : false,
    max: 4,
    fetch_types: false,
    connect_timeout: 15,
    onnotice: () => undefined,
  })
  await sql.unsafe('SELECT 1')
  return {
    async run(text, limits, canStop) {
      const session = await sql.reserve()
      try {
        await begin(session, limits.milliseconds, schema)
        const { collector, columns } = await fetchPostgresRows(session, text, { limits, canStop })
        return collector.finish(columns.map(({ name, type }) => ({ name, type: TYPES[type] ?? 'unknown' })))
      } finally {
        await session.unsafe('ROLLBACK').catch(() => undefined)
        session.release()
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

async function begin(session: ReservedSql, milliseconds: number, schema: string): Promise<void> {
  await session.unsafe('BEGIN READ ONLY')
  await session.unsafe(`SET statement_timeout TO ${Math.ceil(milliseconds) + 1_000}`)
  await session.unsafe(`SET search_path TO "${schema.replaceAll('"', '""')}"`)
}

const TYPES: Readonly<Record<number, string>> = {
  16: 'boolean',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  25: 'text',
  700: 'real',
  701: 'double precision',
  1042: 'char',
  1043: 'varchar',
  1082: 'date',
  1114: 'timestamp',
  1184: 'timestamptz',
  1700: 'numeric',
  4000: 'super',
}
