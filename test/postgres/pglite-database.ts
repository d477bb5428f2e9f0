import { existsSync, mkdirSync, openAsBlob, renameSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { inTurn, type Queues } from '../../src/adapters/database/in-turn.ts'
import { enterScope } from '../../src/adapters/database/scoped.ts'
import { installedVersion } from '../../src/adapters/optional-package.ts'
import type { SqlDatabase, SqlSession, SqlValue } from '../../src/ports/sql-database.ts'

/** PostgreSQL in this process: one connection, so transactions run one after the other. */
export async function openPgliteDatabase({ hasVectors = false } = {}): Promise<SqlDatabase> {
  const engine = await PGlite.create({
    loadDataDir: await emptyImage(),
    extensions: { vector },
    parsers: { [types.INT8]: Number, [types.TIMESTAMPTZ]: (text) => new Date(text).toISOString() },
  })
  if (hasVectors) await engine.exec('CREATE EXTENSION vector')
  const queues: Queues = new Map()
  return {
    hasVectors,
    transaction: (scope, work, { readOnly = false } = {}) =>
      engine.transaction(async (transaction) => {
        const session: SqlSession = {
          query: async <Row extends object>(text: string, values: readonly SqlValue[] = []) =>
            (await transaction.query<Row>(text, [...values])).rows,
        }
        if (readOnly) await session.query('SET TRANSACTION READ ONLY')
        await enterScope(session, scope)
        return work(session)
      }),
    withLock: (name, patience, work) => inTurn(queues, { name, patience }, work),
    async listen(channel, heard) {
      const stop = await engine.listen(channel, heard)
      return { close: () => stop() }
    },
    answers: async () => true,
    close: () => engine.close(),
  }
}

/** Making a new database costs four times what loading one costs, so it is made once on a machine. */
async function emptyImage(): Promise<Blob> {
  const version = installedVersion('@electric-sql/pglite')
  const path = resolve(import.meta.dirname, `../../node_modules/.cache/ken/pglite-${version}.tar`)
  if (!existsSync(path)) {
    const engine = await PGlite.create({ extensions: { vector } })
    const image = await engine.dumpDataDir('none')
    await engine.close()
    mkdirSync(dirname(path), { recursive: true })
    const own = join(dirname(path), `pglite-${process.pid}.tar`)
    await writeFile(own, image.stream())
    renameSync(own, path)
  }
  return openAsBlob(path, { type: 'application/x-tar' })
}
