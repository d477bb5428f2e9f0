import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { RUN } from '../run.ts'
import { addressOf, startPostgres, type DatabaseAddress } from './server.ts'

/*
 * One PostgreSQL for all suites of a run: the first that needs it starts it, each gets databases of its own, and the
 * end of the run stops it.
 */

export interface OwnDatabase extends DatabaseAddress {
  /** Removes the database and disconnects any remaining clients. */
  stop(): Promise<void>
}

const SETTINGS = {
  max_connections: '300',
  shared_buffers: '128MB',
  shared_preload_libraries: 'pg_stat_statements',
  full_page_writes: 'off',
  synchronous_commit: 'off',
}
/** Ken's tables without rows: copying them takes a tenth of the time it takes to create them. */
const TEMPLATE = 'ken_template'
let made = 0

/** An empty database, or one with Ken's tables. */
export async function newDatabase({ of = 'nothing' }: { readonly of?: 'nothing' | 'ken' } = {}): Promise<OwnDatabase> {
  const port = await portOfRun()
  const database = `suite_${process.pid}_${++made}`
  await administer(port, `CREATE DATABASE ${database} TEMPLATE ${of === 'ken' ? TEMPLATE : 'template0'}`)
  return {
    ...addressOf(port, database),
    stop: () => administer(port, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`),
  }
}

/** Opens a new database with or without Ken's tables; it is deleted when closed. */
export async function openNewDatabase(
  options: Parameters<typeof newDatabase>[0] = { of: 'ken' },
): Promise<SqlDatabase> {
  const own = await newDatabase(options)
  const database = await openPostgresDatabase({ url: own.url })
  return {
    ...database,
    async close() {
      await database.close()
      await own.stop()
    },
  }
}

async function administer(port: number, statement: string): Promise<void> {
  const client = new pg.Client({ ...addressOf(port) })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

interface Told {
  readonly port: number
  readonly pid: number
  readonly folder: string
}

/** Port of the server for this run; the first caller starts it. */
async function portOfRun(): Promise<number> {
  const [turn, told] = [join(RUN, 'postgres-turn'), join(RUN, 'postgres.json')]
  mkdirSync(RUN, { recursive: true })
  for (;;) {
    if (existsSync(told)) return (JSON.parse(readFileSync(told, 'utf8')) as Told).port
    try {
      mkdirSync(turn)
      break
    } catch {
      await setTimeout(50)
    }
  }
  const { port, pid, data } = await startPostgres(SETTINGS)
  await administer(port, `CREATE DATABASE ${TEMPLATE}`)
  const template = await openPostgresDatabase({ url: addressOf(port, TEMPLATE).url })
  await migrate(template, { clock: { now: () => new Date() } })
  await template.close()
  const server: Told = { port, pid, folder: dirname(data) }
  writeFileSync(`${told}.new`, JSON.stringify(server))
  renameSync(`${told}.new`, told)
  return port
}

/** Stops the server of a run, if one was started. */
export async function stopServerOf(run: string): Promise<void> {
  const told = join(run, 'postgres.json')
  if (!existsSync(told)) return
  const { pid, folder } = JSON.parse(readFileSync(told, 'utf8')) as Told
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  if (isAlive()) process.kill(pid, 'SIGQUIT')
  while (isAlive()) await setTimeout(20)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
