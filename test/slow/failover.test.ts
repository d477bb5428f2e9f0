import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/adapters/database/postgres/index.ts'
import { migrate } from '../../src/adapters/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/ports/sql-database.ts'
import { startDatabasePair, type DatabasePair } from '../cluster/database-pair.ts'

let pair: DatabasePair
let database: SqlDatabase
beforeAll(async () => {
  pair = await startDatabasePair()
  database = await openPostgresDatabase({ url: pair.url })
  await migrate(database, { clock: { now: () => new Date() } })
})
afterAll(async () => {
  await database?.close()
  await pair?.stop()
})

const put = (text: string) =>
  database.transaction('server', (sql) => sql.query('INSERT INTO ken.kept VALUES ($1)', [text]))

test('when the server is lost, what was under way and what comes meanwhile lands on its standby', async () => {
  await database.transaction('server', (sql) => sql.query('CREATE TABLE ken.kept (text text)'))
  const heard: (string | undefined)[] = []
  await database.listen('news', (message) => heard.push(message))
  await put('before')
  const lost = pair.failOver(2_000)
  const landed = await Promise.all([
    put('while it was away'),
    database.withLock('a lock', 10_000, () => put('under a lock')),
    lost,
  ])
  expect(landed).toHaveLength(3)
  await expect.poll(() => heard).toContain(undefined)
  await database.transaction('server', (sql) => sql.query("SELECT pg_notify('news', 'after')"))
  await expect.poll(() => heard).toContain('after')
  const kept = await database.transaction('server', (sql) => sql.query<{ text: string }>('SELECT text FROM ken.kept'))
  expect(kept.map(({ text }) => text).toSorted()).toEqual(['before', 'under a lock', 'while it was away'])
})
