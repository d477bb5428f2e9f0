import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
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

const put = (text: string, into = database) =>
  into.transaction('server', (sql) => sql.query('INSERT INTO ken.kept VALUES ($1)', [text]))

test('running and new requests switch to the standby when the server is lost', async () => {
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

test('a server that falls silent, like a machine without power, is replaced by its standby', async () => {
  const own = await startDatabasePair()
  const way = await openWay(Number(/:(\d+),/.exec(own.url)![1]))
  const reached = await openPostgresDatabase({ url: own.url.replace(/:\d+,/, `:${way.port},`), patience: 30_000 })
  try {
    await migrate(reached, { clock: { now: () => new Date() } })
    await reached.transaction('server', (sql) => sql.query('CREATE TABLE ken.kept (text text)'))
    const heard: (string | undefined)[] = []
    await reached.listen('news', (message) => heard.push(message))
    way.fallSilent()
    const landed = put('while it was silent', reached)
    await own.failOver(500)
    await landed
    expect(await own.query('SELECT text FROM ken.kept')).toEqual([{ text: 'while it was silent' }])
    await expect.poll(() => reached.answers(), { timeout: 20_000 }).toBe(true)
    expect(heard).toContain(undefined)
  } finally {
    await reached.close()
    await way.close()
    await own.stop()
  }
})

/** A proxy to a server. Once silenced, it forwards nothing and closes no connection. */
async function openWay(to: number): Promise<{ readonly port: number; fallSilent(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const pass = (from: Socket, onward: Socket): void => {
    sockets.add(from)
    from
      .on('data', (chunk) => void (isSilent || onward.write(chunk)))
      .on('close', () => void (isSilent || onward.destroy()))
      .on('error', () => undefined)
  }
  const server = createServer((socket) => {
    if (isSilent) return void sockets.add(socket.on('error', () => undefined))
    const onward = connect(to, '127.0.0.1')
    pass(socket, onward)
    pass(onward, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent: () => void (isSilent = true),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
