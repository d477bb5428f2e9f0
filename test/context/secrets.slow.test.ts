import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

// Assembled at run time, so that no scanner mistakes this file for a leak.
const of = (...parts: readonly string[]): string => parts.join('')
const KEY = of('sk', '_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2')
const AWS = of('AK', 'IA', 'QWERTYUIOPASDF12')
const WORD = of('correct', 'horse', 'battery')
const SETUP = [
  'CREATE TABLE integrations (id INTEGER, name TEXT, note TEXT, password TEXT, amount INTEGER)',
  `INSERT INTO integrations VALUES (1, 'payments', 'call with ${KEY} please', '${WORD}', 10), (2, 'mail', 'nothing', 'other${WORD}', 20), (3, 'cloud', '${'x'.repeat(70)} ${AWS}', NULL, 30)`,
  'CREATE TABLE plain (id INTEGER, name TEXT, city TEXT)',
  "INSERT INTO plain VALUES (1, 'Ada', 'Bonn'), (2, 'Ben', 'Ulm')",
]

const desks: Record<string, ContextDesk> = {}

beforeAll(async () => {
  for (const type of ['sqlite', 'duckdb']) {
    const desk = (desks[type] = openContextDesk())
    if (type === 'sqlite') desk.sqlite('shop.db', ...SETUP)
    else {
      const instance = await DuckDBInstance.create(desk.path('shop.db'))
      const connection = await instance.connect()
      for (const statement of [...SETUP, `COMMENT ON COLUMN plain.city IS '${'where they live, '.repeat(5)} ${KEY}'`])
        await connection.run(statement)
      connection.closeSync()
      instance.closeSync()
    }
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type, path: 'shop.db' }] })
    expect((await desk.sync()).failures).toEqual([])
  }
})
afterAll(() => Promise.all(Object.values(desks).map((desk) => desk.close())))

/** Every run of six characters of a secret, forwards and backwards, as text and in hexadecimal. */
function traces(secret: string): readonly string[] {
  const hex = (text: string): string => Buffer.from(text).toString('hex')
  const runs = Array.from({ length: secret.length - 5 }, (_, i) => secret.slice(i, i + 6))
  return runs.flatMap((run) => [run, [...run].reverse().join(''), hex(run), hex(run).toUpperCase()])
}
const TRACES = [KEY.slice(8), AWS.slice(4), WORD].flatMap(traces).filter((run) => !'payments'.includes(run))

async function ask(type: string, sql: string): Promise<string> {
  const told = await desks[type]!.run('execute_sql', { sql }).catch(
    (error: unknown) => error as Error & { line?: string },
  )
  return told instanceof Error ? `${told.message} ${told.line ?? ''}` : JSON.stringify({ ...told, query_id: undefined })
}
const leaks = (text: string): readonly string[] => TRACES.filter((run) => text.includes(run))

const BOTH = [
  'SELECT note, password FROM integrations',
  'SELECT * FROM integrations',
  'SELECT i.* FROM integrations i',
  'SELECT password AS name FROM integrations',
  'SELECT substr(note, 1, 20), substr(note, 21, 30) FROM integrations',
  'SELECT substr(note, 11, 8) AS note FROM integrations',
  'SELECT substr(password, 1, 10) FROM integrations',
  'SELECT substr(note, 11, 12) AS name, name FROM integrations',
  'SELECT upper(note), lower(note) FROM integrations',
  "SELECT replace(note, '_', '-') FROM integrations",
  'SELECT hex(note) FROM integrations',
  'SELECT max(password), min(note) FROM integrations',
  "SELECT 'x' || password || 'y' FROM integrations",
  'SELECT (SELECT substr(password, 1, 12) FROM integrations WHERE id = 1)',
  'WITH q AS (SELECT substr(note, 11, 12) AS a FROM integrations) SELECT a FROM q',
  'SELECT a FROM (SELECT substr(note, 11, 12) AS a FROM integrations) q',
  'SELECT note FROM integrations UNION ALL SELECT substr(note, 11, 12) FROM integrations',
  'SELECT name FROM integrations UNION ALL SELECT password FROM integrations',
  'SELECT p.name FROM plain p JOIN integrations p2 ON p2.id = p.id UNION SELECT substr(p2.password, 1, 12) FROM integrations p2',
  "SELECT CASE WHEN id = 1 THEN substr(note, 11, 12) ELSE '' END FROM integrations",
  'SELECT coalesce(password, note) FROM integrations',
  'SELECT cast(note AS INTEGER) FROM integrations',
  'SELECT id, count(*) FROM integrations GROUP BY id, substr(note, 11, 12)',
  'SELECT name AS "n" , password "id" FROM integrations',
]

describe('a database answer', () => {
  test.each(['sqlite', 'duckdb'].flatMap((type) => BOTH.map((sql) => [type, sql] as const)))(
    '%s: %s shows no part of a secret',
    async (type, sql) => {
      expect(leaks(await ask(type, sql))).toEqual([])
    },
  )

  test.each([
    'SELECT left(note, 20), right(note, 20) FROM integrations',
    'SELECT reverse(note) FROM integrations',
    'SELECT note[11:22] FROM integrations',
    "SELECT string_split(note, '_') FROM integrations",
    'SELECT list(substr(password, 1, 12)) FROM integrations',
    "SELECT {'a': substr(note, 11, 12)} FROM integrations",
    'SELECT encode(note) FROM integrations',
    'SELECT note::BLOB FROM integrations',
    "SELECT unnest(string_split(note, ' ')) FROM integrations",
    "SELECT regexp_extract(note, 'live_([a-zA-Z0-9]+)', 1) FROM integrations",
    'SELECT name: substr(note, 11, 12), name FROM integrations',
    'FROM integrations SELECT substr(note, 11, 12)',
    'SELECT * REPLACE (substr(note, 11, 12) AS note) FROM integrations',
    'PIVOT integrations ON password USING count(*)',
    'PIVOT integrations ON note USING count(*)',
    'PIVOT integrations ON substr(note, 11, 12) USING count(*) GROUP BY id',
    'UNPIVOT integrations ON password, note INTO NAME n VALUE v',
    "SELECT columns(c -> c LIKE 'pass%') FROM integrations",
    'SELECT integrations FROM integrations',
    'SUMMARIZE integrations',
    "SELECT strptime(note, '%Y') FROM integrations",
    'SELECT note::DATE FROM integrations',
    'SELECT cast(password AS DATE) FROM integrations',
    "SELECT json_extract(note, '$.a') FROM integrations",
    'SELECT error(password) FROM integrations',
    'SELECT list_transform([note], x -> x[11:22]) FROM integrations',
    'SELECT histogram(password) FROM integrations',
    'SELECT first(note) FROM integrations',
    "SELECT format('{}', password) FROM integrations",
  ])('duckdb: %s shows no part of a secret', async (sql) => {
    expect(leaks(await ask('duckdb', sql))).toEqual([])
  })

  test.each([
    'SELECT unicode(substr(password, 1, 1)), unicode(substr(password, 2, 1)) FROM integrations',
    "SELECT instr(password, 'h') FROM integrations",
  ])('sqlite: %s returns no numbers from which a secret can be spelled', async (sql) => {
    const { rows } = await desks['sqlite']!.run('execute_sql', { sql })
    expect(rows.flat().filter((cell: unknown) => typeof cell === 'number')).toEqual([])
  })

  test.each(['sqlite', 'duckdb'])('%s: data unrelated to secrets is shown unchanged', async (type) => {
    const run = async (sql: string) => desks[type]!.run('execute_sql', { sql })
    expect((await run('SELECT id, name, amount FROM integrations ORDER BY id')).rows).toEqual([
      [1, 'payments', 10],
      [2, 'mail', 20],
      [3, 'cloud', 30],
    ])
    expect((await run('SELECT upper(name), substr(city, 1, 2) FROM plain ORDER BY id')).rows).toEqual([
      ['ADA', 'Bo'],
      ['BEN', 'Ul'],
    ])
    expect((await run('SELECT name, amount FROM integrations WHERE password IS NOT NULL ORDER BY id')).rows).toEqual([
      ['payments', 10],
      ['mail', 20],
    ])
    expect((await run('SELECT count(password), sum(amount) FROM integrations')).rows).toEqual([[2, 60]])
    const masked = await run('SELECT id, name, note, password FROM integrations ORDER BY id')
    expect(masked.rows).toEqual([
      [1, 'payments', 'call with [redacted] please', '[redacted]'],
      [2, 'mail', 'nothing', '[redacted]'],
      [3, 'cloud', `${'x'.repeat(70)} [redacted]`, null],
    ])
    expect(masked.notes).toEqual([expect.stringContaining('main.integrations.password')])
  })

  test('an error about the statement explains the problem', async () => {
    expect(await ask('duckdb', 'SELECT nme FROM plain')).toContain('nme')
    expect(await ask('sqlite', 'SELECT nme FROM plain')).toContain('no such column: nme')
    expect(await ask('duckdb', 'SELECT passwrd FROM integrations WHERE password IS NULL')).toContain('passwrd')
  })

  test('an error that quotes a row value hides it, even if it is not a secret', async () => {
    const told = await ask('duckdb', 'SELECT name::DATE FROM plain')
    expect(told).toContain('Conversion Error')
    expect(told).not.toContain('Ada')
  })
})

describe('compiled files', () => {
  test('a view that fails on a value does not reveal it', async () => {
    const desk = openContextDesk()
    const instance = await DuckDBInstance.create(desk.path('shop.db'))
    const connection = await instance.connect()
    for (const statement of [...SETUP, 'CREATE VIEW broken AS SELECT password::DATE AS d FROM integrations'])
      await connection.run(statement)
    connection.closeSync()
    instance.closeSync()
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.db' }] })
    const { failures } = await desk.sync()
    expect(failures).toMatchObject([{ item: 'main.broken', message: expect.stringContaining('Conversion Error') }])
    expect(leaks(JSON.stringify(failures))).toEqual([])
    await desk.close()
  })

  test.each(['sqlite', 'duckdb'])('%s: no file has a secret or a part of one', (type) => {
    for (const [path, text] of Object.entries(desks[type]!.files())) expect([path, leaks(text)]).toEqual([path, []])
  })

  test.each(['sqlite', 'duckdb'])(
    '%s: the manifest contains no secret, and names the columns that contain secrets',
    (type) => {
      const manifest = desks[type]!.read('.ken/context-manifest.jsonl')
      expect(leaks(manifest)).toEqual([])
      expect(manifest).toContain('"secret":["note"]')
    },
  )

  test('a table is described with its comments redacted', async () => {
    expect(
      leaks(
        JSON.stringify([
          await desks['duckdb']!.run('list_tables', {}),
          await desks['duckdb']!.run('describe_table', { table: 'plain' }),
        ]),
      ),
    ).toEqual([])
  })
})
