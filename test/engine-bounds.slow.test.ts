import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import { duckdb } from '../src/context/warehouse/duckdb/index.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'
import { makeShop, ownDuckdb, ownSqlite } from './shop-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-bounds-'))
const places = { duckdb: join(folder, 'shop.duckdb'), sqlite: join(folder, 'shop.sqlite') }
const LIMITS = { rows: 10_000, bytes: 20_000_000, milliseconds: 30_000, cell: 1_000 }
const MEMORY = 512 * 1024 ** 2
const engines: Partial<Record<'duckdb' | 'sqlite', Warehouse>> = {}

beforeAll(async () => {
  await makeShop(ownDuckdb(places.duckdb), 'duckdb')
  const owner = ownSqlite(places.sqlite)
  await makeShop(owner, 'sqlite')
  await owner.close()
  engines.duckdb = await duckdb.open({ path: places.duckdb }, { memory: MEMORY })
  engines.sqlite = await sqlite.open({ path: places.sqlite }, { memory: MEMORY })
})
afterAll(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.close()))
  rmSync(folder, { recursive: true, force: true })
})

const BOMBS = [
  ['duckdb', 'SELECT list(range) FROM range(20000000)'],
  ['duckdb', "SELECT repeat('x', 300000000)"],
  ['duckdb', "SELECT repeat('x', 1000000) FROM range(20000)"],
  ['duckdb', 'SELECT list_transform(range(50000000), x -> x::varchar)'],
  ['duckdb', 'SELECT a.range, b.range FROM range(100000) a, range(100000) b ORDER BY b.range * a.range DESC'],
  ['sqlite', 'SELECT hex(zeroblob(300000000))'],
  ['sqlite', "SELECT printf('%500000000d', 1)"],
  ['sqlite', "WITH RECURSIVE t(n) AS (VALUES ('xxxxxxxxxx') UNION ALL SELECT n || n FROM t) SELECT length(n) FROM t"],
] as const

describe('a statement that uses too much memory', () => {
  test.each(BOMBS)(
    '%s: %s is stopped near the bound with a clear line, and the next one is answered',
    async (engine, sql) => {
      const warehouse = engines[engine]!
      const before = process.memoryUsage.rss()
      let most = 0
      const watch = setInterval(
        () => (most = Math.max(most, ...descendants().map(({ kilobytes }) => kilobytes * 1024))),
        50,
      )
      await expect(warehouse.query(sql, LIMITS)).rejects.toMatchObject({
        code: 'unavailable',
        details: { reason: 'memory' },
        message: 'the statement needed more memory than the 512 MB it may have and was stopped',
        hint: expect.stringContaining('query.memory'),
      })
      clearInterval(watch)
      expect(most).toBeLessThan(MEMORY * 1.5)
      expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY / 4)
      expect((await warehouse.query('SELECT count(*) FROM orders', LIMITS)).rows).toEqual([[60]])
    },
    60_000,
  )
})

describe('a cell that is too long', () => {
  test.each([
    ['duckdb', "SELECT repeat('x', 5000000)", 'x', '5,000,000'],
    ['duckdb', "SELECT list('abcdefgh') FROM range(100000)", '["abcdefgh"', '1,100,001'],
    ['duckdb', "SELECT encode(repeat('x', 5000000))", String.raw`\x7878`, '10,000,002'],
    ['sqlite', 'SELECT hex(zeroblob(5000000))', '0', '10,000,000'],
    ['sqlite', 'SELECT zeroblob(100000000)', String.raw`\x0000`, '200,000,002'],
  ] as const)('%s: %s is cut, with its length', async (engine, sql, start, length) => {
    const { rows } = await engines[engine]!.query(sql, LIMITS)
    const cell = String(rows[0]![0])
    expect(cell.startsWith(start)).toBe(true)
    expect(cell.slice(1_000)).toBe(`… [cut: ${length} characters]`)
  })
})

const ENDLESS = 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t'

describe('a process that runs a statement', () => {
  test.each([
    ['sqlite', ENDLESS],
    ['duckdb', 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range % 7 = b.range % 5'],
  ] as const)(
    '%s: exits when Ken is killed while it runs',
    async (engine, sql) => {
      const adapter = join(import.meta.dirname, `../src/context/warehouse/${engine}/index.ts`)
      const program = `const { ${engine} } = await import(process.argv[1])
      const warehouse = await ${engine}.open({ path: process.argv[2] })
      await warehouse.query('SELECT 1', { rows: 1, bytes: 100, milliseconds: 9000 })
      warehouse.query(process.argv[3], { rows: 1, bytes: 100, milliseconds: 600000 })
      setTimeout(() => process.send('running'), 300)`
      const ken = spawn(process.execPath, ['--input-type=module', '--eval', program, adapter, places[engine], sql], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      await once(ken, 'message')
      const children = descendants(ken.pid).map(({ pid }) => pid)
      expect(children.length).toBeGreaterThan(0)
      ken.kill('SIGKILL')
      await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([])
    },
    60_000,
  )

  test('exits when the statement is stopped', async () => {
    const warehouse = await sqlite.open({ path: places.sqlite })
    const before = new Set(descendants().map(({ pid }) => pid))
    const stop = new AbortController()
    const asked = warehouse.query(ENDLESS, LIMITS, stop.signal)
    await expect.poll(() => descendants().filter(({ pid }) => !before.has(pid)).length, { timeout: 10_000 }).toBe(1)
    const [child] = descendants().filter(({ pid }) => !before.has(pid))
    stop.abort()
    await expect(asked).rejects.toMatchObject({ code: 'stopped' })
    await expect.poll(() => isAlive(child!.pid), { timeout: 10_000 }).toBe(false)
    await warehouse.close()
  })
})

/** The descendants of a process, without itself. */
function descendants(parent: number = process.pid): readonly { readonly pid: number; readonly kilobytes: number }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, , name]) => Number(ppid) === parent && name !== 'ps')
    .map(([pid, , rss]) => ({ pid: Number(pid), kilobytes: Number(rss) }))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie has exited; it just has not been reaped yet.
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z')
  } catch {
    return false
  }
}
