import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KEN } from '../ken-program.ts'
import { start } from '../upkeep/process.ts'
import { until } from '../upkeep/until.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
})
afterEach(() => desk.close())

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: desk.path('..'),
  KEN_HOME: desk.path('../home'),
  KEN_TELEMETRY: '0',
})
const ken = (...words: string[]) => start([KEN, ...words], { cwd: desk.root, env: environment() })

/**
 * Sends the signal later with each try, until it arrives while the command listens: a signal that arrives earlier ends
 * the process without an exit code.
 */
async function stopWhileBusy(
  words: readonly string[],
  signal: NodeJS.Signals,
): Promise<{ code: number | null; out: string; err: string }> {
  for (let wait = 1_000; wait < 30_000; wait *= 1.5) {
    const process = ken(...words)
    await new Promise((go) => setTimeout(go, wait))
    const ended = await process.end(signal)
    if (ended.code !== null) return ended
  }
  throw new Error(`${words[0]} never listened`)
}

const ENDLESS = 'SELECT sum(a.id * b.id % 7 + c.id * d.id % 11) FROM orders a, orders b, orders c, orders d'

describe('Ctrl-C', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'stops a statement in SQLite: %s ends the command with %i and one line',
    async (signal, code) => {
      desk.sqlite(
        'shop.db',
        'CREATE TABLE orders (id INTEGER)',
        'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO orders SELECT i FROM n',
      )
      desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
      await desk.sync()
      expect(await stopWhileBusy(['sql', ENDLESS], signal)).toEqual({
        code,
        out: '',
        err: 'ken: the statement was stopped.\n',
      })
    },
    120_000,
  )

  test('stops a statement in DuckDB', async () => {
    const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
    const connection = await instance.connect()
    await connection.run('CREATE TABLE orders AS SELECT range AS id FROM range(20000)')
    connection.closeSync()
    instance.closeSync()
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] })
    await desk.sync()
    // Slow without using much memory, which would end it too.
    const endless = 'SELECT count(*) FROM orders a, orders b, orders c WHERE sin(a.id) + sin(b.id) + sin(c.id) > 5'
    expect(await stopWhileBusy(['sql', endless], 'SIGINT')).toEqual({
      code: 130,
      out: '',
      err: 'ken: the statement was stopped.\n',
    })
  }, 120_000)

  test('keeps the output of a build so far, and the next one continues from there', async () => {
    desk.sqlite('shop.db', ...Array.from({ length: 20 }, (_, i) => `CREATE TABLE t${i} (id INTEGER)`))
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
    const stop = new AbortController()
    const cut = desk.run(
      'sync_sources',
      { threads: 1 },
      { signal: stop.signal, progress: (_message, done) => done >= 5 && stop.abort() },
    )
    await expect(cut).rejects.toMatchObject({ code: 'stopped' })
    expect(desk.exists(desk.claims)).toBe(false)
    const written = Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md')).length
    expect(written).toBeGreaterThanOrEqual(5)
    expect(written).toBeLessThan(20)
    const next = await desk.sync()
    expect(next.failures).toEqual([])
    expect(next.due).toHaveLength(20 - written)
    expect(next.due.every(({ reason }) => reason === 'new')).toBe(true)
    expect(JSON.stringify(desk.files())).not.toContain('stale_since')
  })

  test('stops an update of the index between two batches, and the next one finishes it', async () => {
    for (let i = 0; i < 30; i++) desk.write(`../notes/n${i}.md`, `# Note ${i}\n\n${'word '.repeat(50)}\n`)
    await desk.run('collection_add', { name: 'notes', path: desk.path('../notes') })
    const stop = new AbortController()
    stop.abort()
    desk.write('../notes/more.md', '# More\n')
    await expect(desk.run('memory_update', {}, { signal: stop.signal })).rejects.toMatchObject({ code: 'stopped' })
    expect(await desk.run('memory_update', {})).toMatchObject({ busy: false })
    expect(JSON.stringify(await desk.run('memory_search', { query: 'more', workspace: 'all' }))).toContain('more.md')
  })

  test('twice ends a command that does not stop', async () => {
    const listening = new URL('../../src/app/listen-for-stop.ts', import.meta.url).href
    const script = `import { listenForStop } from '${listening}'; const { signal } = listenForStop(); signal.addEventListener('abort', () => console.log('heard')); setInterval(() => {}, 1000); console.log('ready')`
    const process = start(['--input-type=module', '-e', script], { cwd: desk.root, env: environment() })
    const heard: string[] = []
    process.child.stdout!.on('data', (data: Buffer) => heard.push(String(data)))
    await until('the start', () => heard.join('').includes('ready'))
    process.child.kill('SIGINT')
    await until('the first to be heard', () => heard.join('').includes('heard'))
    expect(process.child.exitCode).toBeNull()
    expect(await process.end('SIGINT')).toMatchObject({ code: 130 })
  })
})
