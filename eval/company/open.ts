import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { startPostgres } from '../../test/postgres/server.ts'
import { buildStatements, type Engine } from './statements.ts'

/** The company in a separate database. */
export interface CompanyDatabase {
  /** Its entry in ken.yaml. */
  readonly entry: Readonly<Record<string, unknown>>
  write(statements: Iterable<string>): Promise<void>
  read(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): Promise<void>
}

export async function openCompany(
  engine: Engine,
  folder: string,
  options: { large?: boolean } = {},
): Promise<CompanyDatabase> {
  const database = await OPEN[engine](folder)
  await database.write(buildStatements(engine, options))
  return database
}

const OPEN: Readonly<Record<Engine, (folder: string) => Promise<CompanyDatabase>>> = {
  async postgres() {
    const server = await startPostgres()
    const place = { host: server.host, port: server.port, user: server.user, database: server.database }
    const reading = new pg.Pool({ ...place, max: 1 })
    return {
      entry: { name: 'company', type: 'postgres', ...place, password: '' },
      async write(statements) {
        // Closing a connection publishes its counts of changed rows at once.
        const client = await new pg.Client(place).connect()
        for (const statement of statements) await client.query(statement)
        await client.end()
      },
      read: async (query) => (await reading.query(query)).rows,
      async close() {
        await reading.end()
        await server.stop()
      },
    }
  },

  async duckdb(folder) {
    const path = join(folder, 'company.duckdb')
    const connected = async <T>(
      use: (run: Awaited<ReturnType<DuckDBInstance['connect']>>) => Promise<T>,
    ): Promise<T> => {
      const instance = await DuckDBInstance.create(path)
      const connection = await instance.connect()
      try {
        return await use(connection)
      } finally {
        connection.closeSync()
        instance.closeSync()
      }
    }
    return {
      entry: { name: 'company', type: 'duckdb', path },
      write: (statements) =>
        connected(async (connection) => {
          await connection.run('BEGIN')
          for (const statement of statements) await connection.run(statement)
          await connection.run('COMMIT')
        }),
      read: (query) => connected(async (connection) => (await connection.runAndReadAll(query)).getRowObjectsJson()),
      async close() {},
    }
  },

  async sqlite(folder) {
    const path = join(folder, 'company.sqlite')
    const connected = async <T>(use: (database: DatabaseSync) => T): Promise<T> => {
      const database = new DatabaseSync(path)
      try {
        return use(database)
      } finally {
        database.close()
      }
    }
    return {
      entry: { name: 'company', type: 'sqlite', path },
      write: (statements) =>
        connected((database) => {
          database.exec('BEGIN')
          for (const statement of statements) database.exec(statement)
          database.exec('COMMIT')
        }),
      read: (query) => connected((database) => database.prepare(query).all()),
      async close() {},
    }
  },
}
