import { expect, test } from 'vitest'
import type { ChatPart } from '../../../../src/analyst/domain/chat/part.ts'
import { answerView } from './answer-view.ts'

const call = (id: string, tool: string, input: unknown = {}): ChatPart => ({ kind: 'call', call: id, tool, input })
const result = (id: string, tool: string, output?: unknown, failed = false): ChatPart => ({
  kind: 'result',
  call: id,
  tool,
  text: 'what it gave',
  failed,
  ...(output !== undefined && { output }),
})
const said = (text: string): ChatPart => ({ kind: 'text', text })

test('text before a call is a step, and text after it is the answer', () => {
  const view = answerView([
    said('Let me look.'),
    call('1', 'execute_sql', { sql: 'SELECT 1' }),
    result('1', 'execute_sql', { query_id: 'q_000000000001' }),
    said('It is one.'),
  ])
  expect(view.text).toBe('It is one.')
  expect(view.steps.map(({ kind }) => kind)).toEqual(['said', 'call'])
  expect(view.queries).toEqual(['q_000000000001'])
})

test('text is the answer until a result follows it', () => {
  const view = answerView([said('Let me look.'), call('1', 'execute_sql')])
  expect(view.text).toBe('Let me look.')
  expect(view.steps).toEqual([{ kind: 'call', call: '1', tool: 'execute_sql', input: {} }])
})

test('a failed call is a step with its error text, and not a query', () => {
  const view = answerView([call('1', 'execute_sql'), result('1', 'execute_sql', { query_id: 'q_1' }, true)])
  expect(view.steps[0]).toMatchObject({ result: { failed: true, text: 'what it gave' } })
  expect(view.queries).toEqual([])
})

test('shows charted or cited queries with the answer; if there are none, the last query', () => {
  const ran = ['q_a', 'q_b', 'q_c'].flatMap((id) => [
    call(id, 'execute_sql'),
    result(id, 'execute_sql', { query_id: id }),
  ])
  expect(answerView([...ran, said('So.')]).shown).toEqual(['q_c'])
  const chart: ChatPart = { kind: 'chart', call: '9', chart: { query: 'q_a', kind: 'bar', title: '', series: [] } }
  const cited: ChatPart = {
    kind: 'citations',
    citations: [{ text: '3', at: 0, state: 'checked', query: 'q_b', column: 'n', row: 1 }],
  }
  expect(answerView([...ran, chart, said('3.'), cited]).shown).toEqual(['q_a', 'q_b'])
})

test('a call that needs approval is listed until it is answered', () => {
  const waiting: ChatPart = { kind: 'approval', call: '1', tool: 'tickets__create', input: { title: 'x' } }
  expect(answerView([waiting]).approvals[0]).toMatchObject({ call: '1', answer: undefined })
  expect(answerView([waiting, { kind: 'approved', call: '1', answer: 'no' }]).approvals[0]).toMatchObject({
    answer: 'no',
  })
})

test('text that was interrupted and repeated is a step, with the reason', () => {
  const view = answerView([
    said('It is tw'),
    { kind: 'notice', text: 'Asked once more.', again: true },
    said('It is two.'),
  ])
  expect(view.text).toBe('It is two.')
  expect(view.steps.map(({ kind }) => kind)).toEqual(['said', 'notice'])
  expect(view.remarks).toEqual([])
})
