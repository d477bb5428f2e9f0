import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { throwIfStopped } from '../../kernel/domain/stop.ts'
import type { SqlDatabase, SqlSession } from '../../kernel/ports/sql-database.ts'
import { syncDirectory } from '../../kernel/system/atomic-file.ts'
import { beginBackup, type Manifest } from './backup-file.ts'
import { readRows, sequencesOf, describePlainly, tablesOf } from './tables.ts'

export interface BackUpOptions {
  readonly path: string
  readonly ken: string
  readonly clock: { now(): Date }
  readonly signal?: AbortSignal
}

/**
 * Backs up everything that Ken keeps in a database, as of one moment, while servers go on writing. The file is written
 * atomically and readable by its owner only: it contains token hashes and everything that people wrote.
 */
export async function backUp(database: SqlDatabase, options: BackUpOptions): Promise<Manifest> {
  const { path } = options
  if (existsSync(path))
    throw new AppError('conflict', `${path} already exists`, {
      hint: 'Choose a file that does not exist yet.',
    })
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    const manifest = await database.transaction('server', async (sql) => {
      await sql.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      await describePlainly(sql)
      const migrations = await migrationsOf(sql)
      const backup = await beginBackup(file)
      const tables: Manifest['tables'] = []
      for (const table of await tablesOf(sql)) {
        const section = await backup.section(stoppable(readRows(sql, table), options.signal))
        tables.push({ name: table.name, columns: [...table.columns], ...section })
      }
      // Sequences are not part of the snapshot: they may be ahead of the rows, and are never behind.
      const sequences = [...(await sequencesOf(sql))]
      const [server] = await sql.query<{ version: string }>("SELECT current_setting('server_version') AS version")
      const whole: Manifest = {
        format: 1,
        ken: options.ken,
        postgres: server!.version,
        at: options.clock.now().toISOString(),
        migrations,
        vectors: tables.some(({ columns }) => columns.some(isVector)),
        tables,
        sequences,
      }
      await backup.end(whole)
      return whole
    })
    await file.close()
    await rename(temporary, path)
    syncDirectory(dirname(path))
    return manifest
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error
  }
}

export const isVector = ({ type }: { readonly type: string }): boolean => /^(?:half|sparse)?vec/.test(type)

export async function migrationsOf(sql: SqlSession): Promise<Manifest['migrations']> {
  const [there] = await sql.query<{ found: boolean }>("SELECT to_regclass('ken.migrations') IS NOT NULL AS found")
  const migrations = there!.found
    ? await sql.query<Manifest['migrations'][number]>('SELECT number, name, hash FROM ken.migrations ORDER BY number')
    : []
  if (migrations.length === 0)
    throw new AppError('not_found', 'This database has no Ken tables', { hint: 'Check DATABASE_URL.' })
  return [...migrations]
}

async function* stoppable<T>(batches: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const batch of batches) {
    throwIfStopped(signal)
    yield batch
  }
}
