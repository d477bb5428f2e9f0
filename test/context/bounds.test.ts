import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeAll(async () => {
  desk = openContextDesk()
  desk.sqlite(
    'shop.db',
    'CREATE TABLE notes (id INTEGER, body TEXT)',
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO notes SELECT i, '${'x'.repeat(8_000)}' FROM n`,
  )
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
  await desk.sync()
})
afterAll(() => desk.close())

const ENDLESS = `SELECT count(*) FROM ${Array.from({ length: 9 }, (_, i) => `notes t${i}`).join(', ')}`

test('query.timeout defaults to thirty seconds, and a change applies from the next statement on', async () => {
  expect(await desk.run('config_get', { name: 'query.timeout' })).toMatchObject({ value: 30, source: 'default' })
  await desk.run('config_set', { name: 'query.timeout', value: '0.3' })
  await expect(desk.run('execute_sql', { sql: ENDLESS })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the statement ran longer than 300 ms and was stopped',
  })
  await desk.run('config_unset', { name: 'query.timeout' })
  expect((await desk.run('execute_sql', { sql: 'SELECT count(*) FROM notes' })).rows).toEqual([[60]])
})

test('an answer that is too long to read shows fewer rows and reports it', async () => {
  const answer = await desk.run('execute_sql', { sql: 'SELECT id, body FROM notes ORDER BY id' })
  expect(answer.rows.length).toBeLessThan(60)
  expect(answer).toMatchObject({
    shown: 'part',
    row_count: 60,
    cut: false,
    notes: [expect.stringContaining('200,000 characters')],
  })
})

test('a cell that is too long is cut and marked, including in the stored result', async () => {
  const { rows } = await desk.run('execute_sql', { sql: 'SELECT body || body || body || body FROM notes WHERE id = 1' })
  expect(rows).toEqual([[`${'x'.repeat(10_000)}… [cut: 32,000 characters]`]])
})
