import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
const rows = (values: readonly string[]): string => values.map((value) => `(${value})`).join(', ')
const numbered = (text: (i: number) => string): string[] => Array.from({ length: 60 }, (_, i) => `${i}, ${text(i)}`)

beforeEach(() => {
  desk = openContextDesk()
  desk.sqlite(
    'races.db',
    'CREATE TABLE drivers (id INTEGER PRIMARY KEY, email TEXT, team TEXT, api_token TEXT, town TEXT)',
    `INSERT INTO drivers VALUES ${rows(
      numbered((i) => `'pilot${i}@racing.example', 'Squadra ${i} Verde', 'tok_${i}', 'Ort${i}heim'`),
    )}`,
    'CREATE TABLE circuits (id INTEGER PRIMARY KEY, title TEXT)',
    `INSERT INTO circuits VALUES ${rows(numbered((i) => `'Ring ${i}'`))}, (100, 'Silverstone')`,
  )
  configure()
})
afterEach(() => desk.close())

const configure = (more: object = {}): void =>
  desk.configure({ name: 'races', databases: [{ name: 'races', type: 'sqlite', path: 'races.db', ...more }] })
const shown = async (question: string): Promise<string> =>
  (await desk.run('list_tables', { question, tokens: 2_000 }))['columns']
/** Everything that the index stores on this machine. */
const kept = (): readonly string[] => {
  const contexts = join(desk.root, '../home/contexts')
  const [project] = readdirSync(contexts)
  const folder = join(contexts, project!, 'values')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}

test('a value that the question names is shown next to its column, in any case and with a typo', async () => {
  await desk.sync()
  expect(await shown('How often was Silverstone driven?')).toMatch(/- title: .* \(has 'Silverstone'\)/)
  expect(await shown('who won at SILVERSTONE')).toContain("(has 'Silverstone')")
  expect(await shown('Wins at Silverstoen?')).toContain("(has 'Silverstone')")
  expect(await shown('How many circuits are there?')).not.toContain('(has')
})

test('confirms personal data only if the question names it, and stores none of it', async () => {
  await desk.sync()
  expect(await shown('The points of pilot7@racing.example')).toContain('- email: ')
  expect(await shown('The points of pilot7@racing.example')).toMatch(/email.*\(has/)
  expect(await shown('The points of pilot7@racing.exampel')).not.toMatch(/email.*\(has/)
  expect(kept().join('\n')).not.toMatch(/pilot|tok_/)
  expect(Object.values(desk.files()).join('\n')).not.toMatch(/pilot7/)
})

test('a column that ken.yaml hides or masks is not named, even before the next sync', async () => {
  await desk.sync()
  expect(await shown('drivers from Ort7heim')).toContain("(has 'Ort7heim')")
  configure({ personal: { mask: ['*.drivers.town'] } })
  expect(await shown('drivers from Ort7heim')).not.toContain('(has')
  await desk.sync()
  expect(await shown('drivers from Ort7heim')).toContain('(has')
  expect(kept().join('\n')).not.toContain('Ort7')
  configure({ exclude: ['*.drivers.town'] })
  expect(await shown('drivers from Ort7heim')).not.toContain('(has')
})

test('the index follows the rows, and loses the values of a removed table', async () => {
  await desk.sync()
  desk.sqlite('races.db', "UPDATE circuits SET title = 'Nordschleife' WHERE id = 100", 'DROP TABLE drivers')
  await desk.sync()
  expect(await shown('Wins at Nordschleife')).toContain("(has 'Nordschleife')")
  expect(kept()).toHaveLength(1)
})
