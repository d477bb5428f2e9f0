import { expect, test } from 'vitest'
import type { JournalEvent } from '../../../record/domain/journal/event.ts'
import { MOST_NEWS } from '../../domain/webhook/webhook-news.ts'
import { queueDeliveries } from './index.ts'

const accept = (id: string, count: number): JournalEvent => ({
  event_version: 1,
  id,
  at: '2026-05-01T10:00:00.000Z',
  operation: 'accept',
  origin: { surface: 'app' },
  facts: { decisions: Array.from({ length: count }, (_, at) => `${at}-erased-words`) },
  files: {},
})
const queued = (events: readonly JournalEvent[]): readonly { event: string }[] =>
  JSON.parse(String(queueDeliveries('shop', events)?.values[1] ?? '[]')) as { event: string }[]

test('a change queues a bounded number of messages, those of its newest events', () => {
  const events = Array.from({ length: 300 }, (_, at) => accept(`e${at}`, 10))
  const news = queued(events)
  expect(news).toHaveLength(MOST_NEWS)
  expect(new Set(news.map(({ event }) => event))).toEqual(new Set(events.slice(-100).map(({ id }) => id)))
  expect(queued([])).toEqual([])
})

test('the queue names no decision', () => {
  expect(JSON.stringify(queueDeliveries('shop', [accept('e1', 3)])?.values)).not.toContain('erased')
})
