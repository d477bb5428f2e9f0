import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlSession } from '../../kernel/ports/sql-database.ts'
import { isVector, migrationsOf } from './back-up.ts'
import type { BackupFile, Manifest } from './backup-file.ts'
import {
  insertRows,
  sequencesOf,
  setSequence,
  describePlainly,
  tablesOf,
  withoutForeignKeys,
  type Table,
} from './tables.ts'

export interface RestoreOptions {
  /** Creates or updates the tables of a schema; to the latest version if no number is given. */
  migrate(database: SqlDatabase, upTo?: number): Promise<unknown>
}

/**
 * Restores a backup into a database without Ken data, in one transaction: the tables as of the backup, their rows, and
 * the migrations since. Throws `conflict` if there is data already, and changes nothing.
 */
export async function restore(database: SqlDatabase, backup: BackupFile, options: RestoreOptions): Promise<void> {
  const { manifest } = backup
  // The migration lock, so that a server that starts in the meantime waits.
  await database.withLock('ken migrations', 10_000, () =>
    database.transaction('server', async (sql) => {
      await assertEmpty(sql)
      const here: SqlDatabase = {
        ...database,
        transaction: (_scope, work) => work(sql),
        withLock: (_name, _patience, work) => work([]),
      }
      const newest = manifest.migrations.at(-1)!.number
      await options.migrate(here, newest)
      await describePlainly(sql)
      if (!isDeepStrictEqual(plain(await migrationsOf(sql)), plain(manifest.migrations))) throw unknownSchema(manifest)
      await withoutForeignKeys(sql, () => fill(sql, backup))
      await options.migrate(here)
      // The server's vector column is empty then, and filled by the next writes.
      if (database.hasVectors && !manifest.vectors) await sql.query('UPDATE ken.index_heads SET near_from = NULL')
    }),
  )
}

async function assertEmpty(sql: SqlSession): Promise<void> {
  const found = await sql.query("SELECT FROM pg_class WHERE relnamespace = to_regnamespace('ken') LIMIT 1")
  if (found.length > 0)
    throw new AppError('conflict', 'This database already has Ken tables', {
      hint: 'Restore into a new database: run `createdb ken_restored` and use it in DATABASE_URL.',
    })
}

async function fill(sql: SqlSession, { manifest, rows }: BackupFile): Promise<void> {
  const tables = await tablesOf(sql)
  const sequences = await sequencesOf(sql)
  // Names in the file are only compared: statements are built from this database's catalogue.
  if (!isDeepStrictEqual(shapeOf(tables), shapeOf(manifest.tables)) || !sameNames(sequences, manifest.sequences))
    throw unknownSchema(manifest)
  for (const { name, columns, rows: expected } of manifest.tables) {
    const table = tables.find((one) => one.name === name)!
    const given = columns.map((column) => column.name)
    let count = 0
    for await (const lines of rows(name)) {
      await insertRows(sql, table, { given, rows: lines })
      count += lines.length
    }
    if (count !== expected)
      throw new AppError('damaged', `The backup has ${count} rows of ${name}, its manifest ${expected}`)
  }
  for (const sequence of manifest.sequences) await setSequence(sql, sequence)
}

/** Vectors are also kept as bytes: without the server's vector type nothing is missing. */
const shapeOf = (tables: readonly Pick<Table, 'name' | 'columns'>[]): unknown =>
  tables.map(({ name, columns }) => [
    name,
    columns.filter((column) => !isVector(column)).map((column) => `${column.name} ${column.type}`),
  ])

const sameNames = (some: readonly { readonly name: string }[], others: readonly { readonly name: string }[]): boolean =>
  isDeepStrictEqual(
    some.map(({ name }) => name),
    others.map(({ name }) => name),
  )

const plain = (migrations: Manifest['migrations']): unknown =>
  migrations.map(({ number, name, hash }) => [number, name, hash])

const unknownSchema = ({ ken, migrations }: Manifest): AppError =>
  new AppError(
    'conflict',
    `The backup has schema ${migrations.at(-1)!.number} of Ken ${ken}, which is newer than this Ken`,
    {
      hint: 'Restore it with the newest version that ran on that database.',
    },
  )
