import { expect, test } from 'vitest'
import type { JournalEvent } from '../../../record/domain/journal/event.ts'
import { MOST_NEWS, webhookNews } from './webhook-news.ts'

const ADA = '01J00000000000000000000001'
const event = (more: Partial<JournalEvent>): JournalEvent => ({
  event_version: 1,
  id: 'e1',
  at: '2026-05-01T10:00:00.000Z',
  operation: 'propose_decision',
  origin: { surface: 'app', user: ADA },
  facts: { decision: '001-queue' },
  files: {},
  ...more,
})
const told = (more: Partial<JournalEvent>) =>
  webhookNews('shop', event(more)).map(({ type, decision, successor }) => [type, decision, successor])

test('a decision is notified when it is recorded, accepted, updated or superseded, and nothing else is', () => {
  expect(told({})).toEqual([['decision.recorded', '001-queue', undefined]])
  expect(
    told({
      operation: 'supersede_decision',
      facts: { decision: '003-c', target: '001-a', targets: ['001-a', '002-b'] },
    }),
  ).toEqual([
    ['decision.recorded', '003-c', undefined],
    ['decision.superseded', '001-a', '003-c'],
    ['decision.superseded', '002-b', '003-c'],
  ])
  expect(told({ operation: 'update_decision' })).toEqual([['decision.updated', '001-queue', undefined]])
  expect(told({ operation: 'accept', facts: { decisions: ['001-queue'] } })).toEqual([
    ['decision.accepted', '001-queue', undefined],
  ])
  for (const operation of ['flag_question', 'update_state', 'accept', 'undo', 'edit', 'adopt', 'toString'])
    expect(told({ operation, facts: {} })).toEqual([])
})

test('the id depends on the project, the event, the type and the place in it, and on nothing else', () => {
  const both = webhookNews('shop', event({ operation: 'accept', facts: { decisions: ['001-a', '002-b'] } }))
  const ids = [
    webhookNews('shop', event({})),
    webhookNews('lab', event({})),
    webhookNews('shop', event({ id: 'e2' })),
    webhookNews('shop', event({ operation: 'update_decision' })),
    both,
    both.slice(1),
  ].map(([news]) => news!.id)
  expect(new Set(ids).size).toBe(6)
  expect(ids.filter((id) => !/^msg_[0-9a-f]{32}$/.test(id))).toEqual([])
  // A redaction renames decisions, and a receiver must still recognise a message that is sent again.
  const again = event({ at: '2027-01-01T00:00:00Z', facts: { decision: '001-redacted' } })
  expect(webhookNews('shop', again)[0]!.id).toBe(ids[0])
})

test.each([
  ['accept', (stems: readonly string[]) => ({ decisions: stems })],
  ['supersede_decision', (stems: readonly string[]) => ({ decision: '001-a', targets: stems })],
  ['propose_decision', (stems: readonly string[]) => ({ decision: '001-a', resolved: stems })],
] as const)(
  'a pushed line of %s that names very many things makes a bounded number of messages',
  (operation, facts) => {
    const stems = Array.from({ length: 100_000 }, (_, at) => `d${at}`)
    const news = webhookNews('shop', event({ operation, facts: facts(stems) }))
    expect(news.length).toBeLessThanOrEqual(MOST_NEWS)
  },
)

test('a pushed line with any value in any place names no stranger and holds nothing that a database refuses', () => {
  const odd = ['a\0b', 'a\nb', '\ud800', 'x'.repeat(301), '', 7, null, {}, []]
  for (const decision of odd) expect(told({ facts: { decision } as never })).toEqual([])
  for (const target of odd.slice(0, 4))
    expect(told({ operation: 'supersede_decision', facts: { decision: '002-b', target } })).toEqual([
      ['decision.recorded', '002-b', undefined],
    ])
  const [news] = webhookNews(
    'shop',
    event({
      id: 'a\r\nx: y',
      at: 'never',
      origin: { surface: 'mcp-http', user: 'Eve', client: `\ud800\n${'c'.repeat(999)}` },
    }),
  )
  expect(news).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    type: 'decision.recorded',
    at: '1970-01-01T00:00:00.000Z',
    decision: '001-queue',
    agent: `\ufffd${'c'.repeat(255)}`,
  })
  expect(webhookNews('shop', { id: 'e' } as never)).toEqual([])
  expect(webhookNews('shop', event({ origin: null as never, facts: null as never }))).toEqual([])
  for (const origin of [null, 'Eve', 7, [], {}, { user: {}, client: [] }])
    expect(told({ origin: origin as never })).toEqual([['decision.recorded', '001-queue', undefined]])
})
