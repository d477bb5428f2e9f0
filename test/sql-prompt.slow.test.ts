import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'
import { atTerminal } from './pseudo-terminal.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-sql-prompt-')))
const env = {
  HOME: place,
  KEN_HOME: join(place, 'home'),
  KEN_TELEMETRY: '0',
  KEN_EMBEDDINGS: '0',
  TMPDIR: place,
  PAGER: 'cat',
}
// Windows has no `script`.
const atDesk = test.skipIf(process.platform === 'win32')
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

beforeAll(() => {
  const database = new DatabaseSync(join(place, 'shop.db'))
  database.exec('CREATE TABLE orders (id INTEGER, amount REAL, "net price" REAL)')
  database.exec('INSERT INTO orders VALUES (1, 2.5, 2), (2, 4, 3)')
  database.close()
  writeFileSync(join(place, 'ken.yaml'), 'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n')
  const synced = spawnSync(process.execPath, [KEN, 'sync'], {
    cwd: place,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
  expect(synced.stderr).toBe('database/shop: 1 to fetch\n')
}, 60_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const sit = (words: readonly string[], answers: readonly (readonly [string, string])[]) =>
  atTerminal(['sql', ...words], { cwd: place, env, answers })

atDesk(
  'reads statements up to a semicolon, completes names, and changes the row format by command',
  async () => {
    const { text, code } = await sit(
      [],
      [
        ['shop=> ', 'SELECT sum(amo\t'],
        ['SELECT sum(amount', ') AS total\r'],
        ['shop-> ', 'FROM ord\t'],
        ['FROM orders', ';\r'],
        ['shop=> ', String.raw`\x` + '\r'],
        ['shop=> ', 'SELECT o."net\t'],
        ['net', '\u0003'],
        ['shop=> ', 'SELECT 5 AS five;\r'],
        ['shop=> ', 'DELETE FROM orders;\r'],
        ['shop=> ', String.raw`\nonsense` + '\r'],
        ['shop=> ', `SELECT '${SECRET}' AS k;\r`],
        ['shop=> ', '\u0004'],
      ],
    )
    expect(code).toBe(0)
    expect(text).toMatch(/ *total\n─+\n +6\.5\n\n1 row · /)
    expect(text).toMatch(/─ row 1 ─+\nfive {2}5\n/)
    expect(text).toContain('Not run: DELETE is not a read.')
    expect(text).toContain(String.raw`There is no \nonsense.`)
    const history = readFileSync(join(env.KEN_HOME, 'sql-history'), 'utf8')
    expect(history).toBe('SELECT sum(amount) AS total FROM orders;\nSELECT 5 AS five;\nDELETE FROM orders;\n')
    expect(statSync(join(env.KEN_HOME, 'sql-history')).mode & 0o777).toBe(0o600)
  },
  120_000,
)

atDesk(
  'Ctrl-C stops the statement and keeps the prompt with its history',
  async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;'
    const { text, code } = await sit(
      ['--format', 'csv'],
      [
        ['shop=> ', `${endless}\r`],
        ['FROM n;', '\u0003'],
        ['Stopped.', 'SELECT 6 AS six;\r'],
        ['six\n6', '\u001b[A\r'],
        ['six\n6', String.raw`\q` + '\r'],
      ].map(([screen, keys]) => [screen!.replaceAll('\n', '\r\n'), keys!] as const),
    )
    expect(code).toBe(0)
    expect(text.match(/^six\n6\n/gm)).toHaveLength(2)
  },
  120_000,
)

atDesk(
  'shows a long answer in the pager, except in a pipe',
  async () => {
    const words = [
      'sql',
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90) SELECT i FROM n',
    ]
    const { text } = await atTerminal(words, { cwd: place, env: { ...env, PAGER: 'sed s/^/paged:/' } })
    expect(text).toContain('paged:90')
    const short = await atTerminal(['sql', 'SELECT 1 AS one'], {
      cwd: place,
      env: { ...env, PAGER: 'sed s/^/paged:/' },
    })
    expect(short.text).not.toContain('paged:')
    const missing = await atTerminal(words, { cwd: place, env: { ...env, PAGER: 'no-such-pager' } })
    expect(missing.text).toMatch(/^ *90$/m)
    const piped = spawnSync(process.execPath, [KEN, ...words, '--format', 'csv'], {
      cwd: place,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env, PAGER: 'sed s/^/paged:/' },
    })
    expect(piped.stdout.split('\r\n')).toHaveLength(92)
    const fed = spawnSync(process.execPath, [KEN, 'sql', '--format', 'csv'], {
      cwd: place,
      encoding: 'utf8',
      input: 'SELECT 8 AS eight;\n',
      env: { PATH: process.env['PATH'], ...env },
    })
    expect([fed.stdout, fed.status]).toEqual(['eight\r\n8\r\n', 0])
  },
  120_000,
)

test('a statement takes no memory for tables that it does not name', () => {
  const path = join(place, '.ken/context-manifest.jsonl')
  const compiled = readFileSync(path, 'utf8')
  const orders = compiled.split('\n').find((line) => line.includes('"name":"orders"'))!
  const others = Array.from({ length: 30_000 }, (_, i) => orders.replaceAll('orders', `orders_${i}`))
  writeFileSync(path, [...others, compiled].join('\n'))
  const run = (sql: string) =>
    spawnSync(process.execPath, ['--max-old-space-size=48', KEN, 'sql', sql, '--format', 'csv'], {
      cwd: place,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    })
  expect(run('SELECT sum(o.amount) AS total FROM Orders o').stdout).toBe('total\r\n6.5\r\n')
  writeFileSync(path, compiled)
}, 120_000)
