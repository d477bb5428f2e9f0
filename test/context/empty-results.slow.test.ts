import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

const TABLES = [
  'CREATE TABLE drivers (id INTEGER, surname VARCHAR, email VARCHAR, points INTEGER, born DATE)',
  `INSERT INTO drivers VALUES ${Array.from({ length: 60 }, (_, i) => `(${i}, 'Family${i}', 'driver${i}@racing.example', ${i}, NULL)`).join(', ')}`,
  "INSERT INTO drivers VALUES (100, 'Hamilton', 'lewis@racing.example', 0, '1985-01-08')",
  'CREATE TABLE circuits (id INTEGER, title VARCHAR)',
  `INSERT INTO circuits VALUES ${Array.from({ length: 60 }, (_, i) => `(${i}, 'Ring number ${i}')`).join(', ')}`,
  "INSERT INTO circuits VALUES (100, 'Silverstone')",
  'CREATE TABLE patients (id INTEGER, sex VARCHAR, ward VARCHAR)',
  `INSERT INTO patients VALUES ${Array.from({ length: 60 }, (_, i) => `(${i}, '${i % 3 === 0 ? 'M' : 'F'}', '${i % 2 === 0 ? 'East' : 'West'}')`).join(', ')}`,
]

const FILL: Readonly<Record<string, (path: string) => Promise<void>>> = {
  async sqlite(path) {
    const database = new DatabaseSync(path)
    for (const sql of TABLES) database.exec(sql)
    database.close()
  },
  async duckdb(path) {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const sql of TABLES) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  },
}

describe.each(Object.keys(FILL))('a statement on %s that nothing fits', (type) => {
  let desk: ContextDesk
  const ask = async (sql: string): Promise<readonly string[]> => (await desk.run('execute_sql', { sql }))['notes']
  beforeAll(async () => {
    desk = openContextDesk()
    await FILL[type]!(desk.path('races.db'))
    desk.configure({ name: 'races', databases: [{ name: 'races', type, path: 'races.db' }] })
    expect((await desk.sync()).failures).toEqual([])
  })
  afterAll(() => desk.close())

  test.each([
    ["SELECT count(*) FROM drivers WHERE surname = 'hamilton'", "main.drivers.surname has 'Hamilton', not 'hamilton'."],
    [
      "SELECT sum(points) FROM drivers WHERE surname = 'HAMILTON'",
      "main.drivers.surname has 'Hamilton', not 'HAMILTON'.",
    ],
    ["SELECT max(id) FROM circuits WHERE title = 'silver'", "main.circuits.title has no 'silver', but 'Silverstone'."],
    [
      "SELECT id FROM circuits WHERE title = 'Silverstne'",
      "main.circuits.title has no 'Silverstne', but 'Silverstone'.",
    ],
    [
      "SELECT 100.0 * sum(CASE WHEN surname = 'hamilton' THEN 1 ELSE 0 END) / count(*) FROM drivers",
      "main.drivers.surname has 'Hamilton', not 'hamilton'.",
    ],
    [
      "SELECT (SELECT count(*) FROM circuits WHERE title = 'silverstone') AS n",
      "main.circuits.title has 'Silverstone', not 'silverstone'.",
    ],
  ])('%s gets a hint with the probable value', async (sql, hint) => {
    const [first, second] = await ask(sql)
    expect(first).toMatch(/^No row fits the filters/)
    expect(second).toBe(hint)
  })

  test('for personal data the hint names only another spelling of the same value', async () => {
    expect(await ask("SELECT count(*) FROM drivers WHERE email = 'racing.example'")).toEqual([
      expect.stringMatching(/^No row fits/),
      "main.drivers.email has no 'racing.example'.",
    ])
  })

  test.each([
    ["SELECT count(*) FROM patients WHERE sex = 'male'", "main.patients.sex has no 'male'. It has 'F', 'M'."],
    ["SELECT count(*) FROM patients WHERE ward = 'North'", "main.patients.ward has no 'North'. It has 'East', 'West'."],
  ])('%s gets the values listed in the files', async (sql, hint) => expect((await ask(sql))[1]).toBe(hint))

  test('reports nothing about a column that cannot be compared as text', async () => {
    expect(
      await ask("SELECT count(*) FROM drivers WHERE CAST(born AS VARCHAR) = '1985-01-07' AND born = '1985-01-07'"),
    ).toEqual([
      expect.stringMatching(/^No row fits/),
      ...(type === 'sqlite' ? ["main.drivers.born has no '1985-01-07'."] : []),
    ])
  })

  test('a 0 that was counted from rows gets no hint', async () => {
    expect(await ask("SELECT sum(points) FROM drivers WHERE surname = 'Hamilton'")).toEqual([])
    expect(
      await ask("SELECT sum(CASE WHEN surname = 'Hamilton' THEN points ELSE 0 END) AS points FROM drivers"),
    ).toEqual([])
    expect(await ask('SELECT points FROM drivers WHERE id = 100')).toEqual([])
  })

  test('a value that its column has is not named as the cause', async () => {
    expect(await ask("SELECT count(*) FROM drivers WHERE surname = 'Hamilton' AND points > 5")).toEqual([
      expect.stringMatching(/^No row fits/),
    ])
  })
})
