import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import mysql2 from 'mysql2/promise'
import pg from 'pg'

const STATEMENTS = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/sql/shop.json'), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>

/** Write access to a database that a warehouse only reads. */
export interface Owner {
  exec(sql: string): Promise<void>
  /** First column of every row. */
  column(sql: string): Promise<readonly unknown[]>
  close(): Promise<void>
}

/** Creates users, orders, a view and a table with a difficult name. */
export async function makeShop(owner: Owner, dialect: string): Promise<void> {
  for (const sql of STATEMENTS[dialect]!) await owner.exec(sql)
}

/** DuckDB lets one process either read or write a file, so every statement reopens it. */
export function ownDuckdb(path: string): Owner {
  const run = async (sql: string): Promise<readonly unknown[]> => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    try {
      return (await connection.runAndReadAll(sql)).getRowsJS().map((row) => row[0])
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  }
  return { exec: async (sql) => void (await run(sql)), column: run, close: async () => undefined }
}

export function ownSqlite(path: string): Owner {
  const database = new DatabaseSync(path)
  return {
    exec: async (sql) => database.exec(sql),
    column: async (sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0]),
    close: async () => database.close(),
  }
}

export function ownPostgres(server: { host: string; port: number; user: string; database: string }): Owner {
  const pool = new pg.Pool({ ...server, max: 1, idleTimeoutMillis: 0 }).on('error', () => undefined)
  return {
    exec: async (text) => void (await pool.query(text)),
    column: async (text) => (await pool.query({ text, rowMode: 'array' })).rows.map((row) => row[0] as unknown),
    close: () => pool.end(),
  }
}

export async function ownMysql(server: { host: string; port: number; user: string; database: string }): Promise<Owner> {
  const connection = await mysql2.createConnection({ host: server.host, port: server.port, user: server.user })
  await connection.query(`CREATE DATABASE IF NOT EXISTS ${server.database}`)
  await connection.changeUser({ database: server.database })
  return {
    exec: async (sql) => void (await connection.query(sql)),
    column: async (sql) =>
      ((await connection.query(sql))[0] as Record<string, unknown>[]).map((row) => Object.values(row)[0]),
    close: () => connection.end(),
  }
}
