import { spawnSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { makePlace, serveFrom, startPostgres, type PostgresServer } from '../postgres/server.ts'

/** A PostgreSQL and its streaming standby. Acknowledged writes are on the disk of the standby. */
export interface DatabasePair {
  /** Both hosts in one address; the writable one is used. */
  readonly url: string
  /**
   * Kills the primary abruptly and promotes the standby after `outage` milliseconds, the time failure detection needs.
   */
  failOver(outage: number): Promise<void>
  /** Queries the writable database. */
  query<Row extends object>(text: string): Promise<Row[]>
  stop(): Promise<void>
}

const PRIMARY = { wal_keep_size: '1GB', max_connections: '200' }
const STANDBY = { hot_standby: 'on', max_connections: '200' }
const PAUSE_MS = 50

export async function startDatabasePair(): Promise<DatabasePair> {
  const primary = await startPostgres(PRIMARY)
  const standby = await startStandby(primary)
  let current = primary
  const query = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = await connect(current)
    return client
      .query<Row & Record<string, unknown>>(text)
      .then(({ rows }) => rows as Row[])
      .finally(() => client.end())
  }
  await query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query('SELECT pg_reload_conf()')
  await until(async () =>
    (await query<{ state: string }>('SELECT sync_state AS state FROM pg_stat_replication')).some(
      ({ state }) => state === 'sync',
    ),
  )
  return {
    url: `postgres://${primary.user}@${[primary, standby].map(({ host, port }) => `${host}:${port}`).join(',')}/${primary.database}?target_session_attrs=read-write`,
    query,
    async failOver(outage) {
      await primary.kill()
      current = standby
      await setTimeout(outage)
      await query('SELECT pg_promote(true, 60)')
    },
    async stop() {
      await standby.stop()
      await primary.stop()
    },
  }
}

/** The package has no pg_basebackup, so this does the same by hand: copies the files, then the log. */
async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const place = makePlace()
  const client = await connect(primary)
  try {
    await client.query("SELECT pg_backup_start('standby', fast => true)")
    const copied = spawnSync('cp', ['-a', `${primary.data}/.`, place.data])
    if (copied.status !== 0) throw new Error(`cp failed: ${String(copied.stderr)}`)
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    )
    writeFileSync(join(place.data, 'backup_label'), rows[0]!.labelfile)
  } finally {
    await client.end()
  }
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(place.data, name), { force: true })
  writeFileSync(join(place.data, 'standby.signal'), '')
  const { uid, gid } = statSync(place.data)
  for (const name of ['backup_label', 'standby.signal']) chownSync(join(place.data, name), uid, gid)
  return serveFrom(place, {
    ...STANDBY,
    primary_conninfo: `host=${primary.host} port=${primary.port} user=${primary.user} application_name=standby`,
  })
}

/** Connects as an administrator. */
export async function connect({ url }: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(PAUSE_MS)
}
