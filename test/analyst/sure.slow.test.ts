import { afterEach, expect, test } from 'vitest'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

let desk: AnalystDesk
afterEach(() => desk.close())

/** A model that returns these statements on request, and then answers. */
async function open(statements: readonly string[]): Promise<void> {
  let at = 0
  desk = await openAnalystDesk(({ user }) =>
    user.includes('Write the one SQL statement')
      ? { say: statements[at++]!, usage: { input: 100, output: 10 } }
      : { say: 'So it is.', usage: { input: 100, output: 10 } },
  )
}
const sql = (text: string): string => `\`\`\`sql\n${text}\n\`\`\``
const told = (): string => desk.model.requests.findLast(({ user }) => !user.includes('Write the one SQL'))!.said
const QUESTION = 'How many orders are there?'

test('with sure, runs three statements and passes the majority’s rows to the model', async () => {
  await open([
    sql('SELECT count(*) AS n FROM orders'),
    sql('SELECT count(id) AS orders FROM orders'),
    sql('SELECT count(*) + 7 AS n FROM orders'),
  ])
  const { notes, usage } = await desk.ask(QUESTION, { sure: true })
  expect(notes.join('\n')).toMatch(/^2 of 3 statements give the same rows\. They disagree with: one row \(\d+\)\./m)
  expect(told()).toContain('2 give the same rows. Run the first')
  expect(told()).toContain('count(*) + 7')
  // The usage includes all requests: three statements and the answer.
  expect(usage).toMatchObject({ input: 400, output: 40 })
})

test('statements that disagree have no majority, and only a SELECT is run', async () => {
  await open([
    sql('SELECT count(*) AS n FROM orders'),
    sql('SELECT count(*) + 7 AS n FROM orders'),
    sql('DELETE FROM orders'),
  ])
  const { notes } = await desk.ask(QUESTION, { sure: true })
  expect(notes.join('\n')).toMatch(/^The 2 statements disagree: one row \(\d+\); one row \(\d+\)\.$/m)
  expect(told()).toContain('their results disagree')
})

test('answers a question without a statement as usual; without sure there is no further request', async () => {
  await open(['It needs none.', 'None.', 'None.'])
  const { text, notes } = await desk.ask(QUESTION, { sure: true })
  expect(text).toBe('So it is.')
  expect(notes.join('\n')).toContain('Agreement was not checked: 0 of 3 statements were written.')
  const before = desk.model.requests.length
  await desk.ask(QUESTION)
  expect(desk.model.requests.length - before).toBe(1)
})
