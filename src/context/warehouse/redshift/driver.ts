import { once } from 'node:events'
import type { Connection, FieldDef, PoolClient } from 'pg'
import { collectRows, type Cell, type QueryLimits, type RowCollector } from '../../domain/sql/query.ts'
import { openPostgresPool, type PostgresDriver } from '../postgres-pool.ts'
import { oneStatement } from '../postgres-rows.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { RedshiftConnection } from './index.ts'

/** Redshift uses PostgreSQL's protocol. Every statement runs in a READ ONLY transaction. */
export async function openRedshiftDriver({ ssl, schema, ...address }: RedshiftConnection): Promise<Driver> {
  const pg = await loadDriver<PostgresDriver>('pg', 'Redshift')
  const pool = openPostgresPool(pg, {
    ...address,
    ssl: ssl && { rejectUnauthorized: false },
    max: 4,
    idleTimeoutMillis: 0,
  })
  await pool.rows('SELECT 1')
  return {
    async run(text, limits, canStop) {
      const client = await pool.connect()
      try {
        await begin(client, limits.milliseconds, schema)
        canStop(() => pool.cancel(client))
        const { collector, columns } = await fetchInPortions(pg, client, { text, limits })
        return collector.finish(columns.map(({ name, dataTypeID }) => ({ name, type: TYPES[dataTypeID] ?? 'unknown' })))
      } finally {
        pool.giveBack(client)
      }
    },
    close: () => pool.close(),
  }
}

async function begin(client: PoolClient, milliseconds: number, schema: string): Promise<void> {
  await client.query('BEGIN READ ONLY')
  await client.query(`SET statement_timeout TO ${Math.ceil(milliseconds) + 1_000}`)
  await client.query(`SET search_path TO "${schema.replaceAll('"', '""')}"`)
}

const PORTION = 500

/** The driver's connection with its actual members; its types differ. */
interface Wire extends Pick<Connection, 'flush' | 'sync'> {
  execute(what: { portal: string; rows: number }): void
}

/**
 * Fetches in portions until the limits are reached; the rest is never sent. Redshift would first gather all rows for a
 * declared cursor.
 */
async function fetchInPortions(
  { Query }: PostgresDriver,
  client: PoolClient,
  { text, limits }: { text: string; limits: QueryLimits },
): Promise<{ collector: RowCollector; columns: readonly FieldDef[] }> {
  const collector = collectRows(limits)
  const rows = Math.min(PORTION, limits.rows + 1)
  let hasRoom = true
  class Portions extends Query<Cell[]> {
    /** Called by the driver after each portion; its default handler fetches on to the end. */
    handlePortalSuspended(connection: Wire): void {
      if (!hasRoom) return connection.sync()
      connection.execute({ portal: '', rows })
      connection.flush()
    }
    /** The server ignores everything on this connection until the sync, which the driver omits here. */
    handleError(error: Error, connection: Wire): void {
      connection.sync()
      this.emit('error', error)
    }
  }
  const portions = new Portions(Object.assign(oneStatement(text, limits), { rows }))
  portions.on('row', (row) => (hasRoom &&= collector.add(row)))
  const ended = once(portions, 'end')
  client.query(portions)
  const [{ fields }] = (await ended) as [{ fields: readonly FieldDef[] }]
  return { collector, columns: fields }
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
