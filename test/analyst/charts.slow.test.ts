import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/all.ts'
import { answerText } from '../../src/operations/answer.ts'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

const STATEMENT = 'SELECT note, count(*) AS orders, sum(amount) AS revenue FROM orders GROUP BY note ORDER BY note'
const sql = (text: string) => ({ call: { tool: 'execute_sql', input: { sql: text } } })
const ask = OPERATIONS.find(({ name }) => name === 'ask')!

let desk: AnalystDesk
beforeAll(async () => {
  desk = await openAnalystDesk()
}, 60_000)
afterAll(() => desk.close())

/** The last query id, skipping the example in the prompt. */
const idIn = (said: string): string => [...said.matchAll(/q_(?!0123456789ab)[0-9a-f]{12}/g)].at(-1)![0]

describe('a chart in a turn', () => {
  test('is checked against the result, corrected from the error, and kept with the answer', async () => {
    let id = ''
    const refusals: string[] = []
    desk.model.reply = [
      sql(STATEMENT),
      (request) => {
        id = idIn(request.said)
        return {
          call: {
            tool: 'display_chart',
            input: { query_id: id, chart_type: 'bars', x_axis_key: 'noet', series: [{ data_key: 'orders' }] },
          },
        }
      },
      (request) => {
        refusals.push(request.said)
        return {
          call: {
            tool: 'display_chart',
            input: { query: id, type: 'bar chart', x: 'NOTE', y: 'orders', title: 'Orders' },
          },
        }
      },
      (request) => {
        refusals.push(request.said)
        return 'Here it is.'
      },
    ]
    const answer = await desk.ask('How many orders of each kind?')
    expect(refusals[0]).toContain('The result has no column "noet". Did you mean "note"?')
    expect(refusals[1]).toMatch(/Shown: a bar chart of q_[0-9a-f]{12} \(\d+ values of note\)\.\norders: first \d/)
    expect(answer['charts']).toEqual([
      { query: id, kind: 'bar', title: 'Orders', x: 'note', series: [{ column: 'orders' }] },
    ])
    expect((await desk.parts(answer.chat)).filter(({ kind }) => kind === 'chart')).toHaveLength(1)
  })

  test('is refused for a query from another chat, with the available queries', async () => {
    let said = ''
    desk.model.reply = [
      { call: { tool: 'display_chart', input: { query_id: 'q_000000000000', kind: 'bar', x: 'a', y: ['b'] } } },
      (request) => {
        said = request.said
        return 'No.'
      },
    ]
    await desk.ask('Draw something.')
    expect(said).toContain('No query of this chat named "q_000000000000". None exist yet.')
  })
})

describe('numbers in an answer', () => {
  test('are checked against the cells they cite, and marked if no query returned them', async () => {
    desk.model.reply = [
      sql('SELECT count(*) AS orders FROM orders'),
      (request) => {
        const count = /\| (\d+) \|/.exec(request.said)![1]!
        const id = idIn(request.said)
        return `There are [${count}](${id}.orders) orders, or [${Number(count) + 1}](${id}.orders) with the one of 4711; 37 % came back.`
      },
    ]
    const answer = await desk.ask('How many orders are there, with that of 4711?')
    expect(answer['citations']).toMatchObject([
      { state: 'checked', column: 'orders', row: 1 },
      { state: 'differs', column: 'orders' },
      { text: '37 %', state: 'unsourced' },
    ])
    const shown = answerText(ask, { input: {}, output: answer as never, notice: '' }, 'pipe')
    expect(shown).toMatch(
      /There are \d+ orders, or \d+\(≠1\) with the one of 4711; 37 %\(\?\) came back\.\n\n\(≠1\) \d+: q_/,
    )
    expect(answerText(ask, { input: {}, output: answer as never, notice: '' }, 'agent')).toContain('](q_')
  })

  test('are marked if no query returned them, unless a document contains them', async () => {
    desk.write('docs/plan.md', 'We plan 640 shops.\n')
    desk.model.reply = [
      { call: { tool: 'read_file', input: { path: 'docs/plan.md' } } },
      'The plan says 640 shops; I think 700.',
    ]
    const answer = await desk.ask('What is the plan?')
    expect(answer['citations']).toMatchObject([{ text: '700', state: 'unsourced' }])
  })
})
