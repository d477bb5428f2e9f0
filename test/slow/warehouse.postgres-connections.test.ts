import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Warehouse } from '../../src/context/ports/warehouse.ts'
import { postgresql } from '../../src/context/warehouse/postgres/index.ts'
import { openRedshiftDriver } from '../../src/context/warehouse/redshift/driver.ts'
import { startPostgres, type PostgresServer } from '../postgres/server.ts'
import { ownPostgres, type Owner } from '../shop-database.ts'
import { ownCertificate } from '../vendors/own-certificate.ts'

const LIMITS = { rows: 10_000, bytes: 10_000_000, milliseconds: 60_000 }
const SLOW = 'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b'
const place = mkdtempSync(join(tmpdir(), 'ken-tls-'))
let withTls: PostgresServer
let without: PostgresServer
let owner: Owner
const at = ({ host, port, database, user }: PostgresServer) => ({ host, port, database, user })

beforeAll(async () => {
  chmodSync(place, 0o755)
  const { key, cert } = ownCertificate()
  const file = (name: string, text: string): string => {
    const path = join(place, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (userInfo().uid === 0) chownSync(path, 65534, 65534)
    return path
  }
  withTls = await startPostgres({ ssl: 'on', ssl_cert_file: file('cert', cert), ssl_key_file: file('key', key) })
  without = await startPostgres()
  owner = ownPostgres(at(withTls))
})
afterAll(async () => {
  await owner?.close()
  await withTls?.stop()
  await without?.stop()
  rmSync(place, { recursive: true, force: true })
})

const ours = (what: string): Promise<readonly unknown[]> =>
  owner.column(`SELECT ${what} FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE application_name = 'ken'`)

describe('TLS', () => {
  test.each([
    [undefined, false],
    [false, false],
    ['prefer', true],
    ['require', true],
    [true, true],
  ] as const)('ssl: %s to a server that has it', async (ssl, isUsed) => {
    const warehouse = await postgresql.open({ ...at(withTls), ssl })
    expect((await warehouse.query('SELECT 42', LIMITS)).rows).toEqual([[42]])
    expect(await ours('ssl')).toEqual([isUsed])
    await warehouse.close()
    await expect.poll(() => ours('pid')).toEqual([])
  })

  test('an untrusted certificate is refused if verification is on', async () => {
    for (const given of [{ ...at(withTls), ssl: 'verify-full' as const }, { url: `${withTls.url}?sslmode=verify-ca` }])
      await expect(postgresql.open(given)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('self-signed'),
      })
  })

  test('a server without TLS is used if TLS is only preferred', async () => {
    const warehouse = await postgresql.open({ url: `${without.url}?sslmode=prefer` })
    expect((await warehouse.query('SELECT 42', LIMITS)).rows).toEqual([[42]])
    await warehouse.close()
    await expect(postgresql.open({ ...at(without), ssl: 'require' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a statement is cancelled over TLS, in PostgreSQL and in Redshift', async () => {
    const warehouse = await postgresql.open({ ...at(withTls), ssl: 'require' })
    await expect(warehouse.query(SLOW, { ...LIMITS, milliseconds: 300 })).rejects.toMatchObject({
      details: { reason: 'timeout' },
    })
    await expect.poll(() => ours("state = 'active'")).toEqual([false])
    await warehouse.close()
    const driver = await openRedshiftDriver({ ...at(withTls), password: '', ssl: true, schema: 'public' })
    let stop = async (): Promise<void> => undefined
    const running = driver.run(SLOW, LIMITS, (how) => (stop = how))
    setTimeout(() => void stop(), 300)
    await expect(running).rejects.toThrow(/cancel/)
    expect((await driver.run('SELECT 42', LIMITS, () => undefined)).rows).toEqual([[42]])
    await driver.close()
  })
})

describe('a lost connection', () => {
  const open = async (use: (warehouse: Warehouse) => Promise<void>): Promise<void> => {
    const warehouse = await postgresql.open(at(withTls))
    await use(warehouse)
    await warehouse.close()
  }
  const answers = async (warehouse: Warehouse): Promise<void> =>
    expect((await warehouse.query('SELECT 42', LIMITS)).rows).toEqual([[42]])

  test('is reopened if it was idle', () =>
    open(async (warehouse) => {
      await answers(warehouse)
      await ours('pg_terminate_backend(pid)')
      await expect.poll(() => ours('pid')).toEqual([])
      await answers(warehouse)
    }))

  test('fails only the statement that was running', () =>
    open(async (warehouse) => {
      const running = expect(warehouse.query(SLOW, LIMITS)).rejects.toMatchObject({ code: 'invalid_input' })
      await expect.poll(() => ours("state = 'active'")).toContain(true)
      await ours('pg_terminate_backend(pid)')
      await running
      await answers(warehouse)
    }))

  test('during an abandoned statement does not delay closing', async () => {
    const warehouse = await postgresql.open(at(withTls))
    const running = expect(warehouse.query(SLOW, LIMITS)).rejects.toThrow()
    await expect.poll(() => ours("state = 'active'")).toContain(true)
    await warehouse.close()
    await running
  })
})
