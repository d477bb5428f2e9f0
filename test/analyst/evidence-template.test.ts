import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from '../context/context-desk.ts'

let desk: ContextDesk
beforeAll(async () => {
  desk = openContextDesk()
  desk.sqlite(
    'shop.db',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, amount INTEGER)',
    "INSERT INTO orders VALUES (1, 'Bern', 10), (2, 'Bern', 20), (3, 'Val d''Oro', 30)",
  )
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
  await desk.sync()
})
afterAll(() => desk.close())
const ask = async (question: string): Promise<string> => (await desk.run('ask', { question }))['text']

test('a simple question is answered by a template without a model, with a note and the statement', async () => {
  const text = await ask('What is the total amount of orders from bern?')
  expect(text).toContain('No model read the question')
  expect(text).toContain(`SELECT SUM("amount") AS total FROM "main"."orders" WHERE "city" = 'Bern'`)
  expect(text).toContain('| 30 |')
  expect(await ask("How many orders from Val d'Oro are there?")).toContain('| 1 |')
})

test('a question that no template covers returns only the sources', async () => {
  const text = await ask('How many orders from Bern were late?')
  expect(text).not.toContain('template')
  expect(text).toContain('Tables that would answer it')
})
