import { expect, test } from 'vitest'
import type { GraphNode } from '../../src/record/domain/graph/graph.ts'
import { fold, fullText, matchedRanges, searchWords } from './full-text.ts'

const node = (num: number, title: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id: `${num}`,
  num,
  label: `D${String(num).padStart(3, '0')}`,
  title,
  date: '2026-01-01',
  status: 'active',
  confidence: 'high',
  decision_type: null,
  reversibility: null,
  files_affected: [],
  text: { rationale: '', rejected: [] },
  ...more,
})

const DECISIONS = [
  node(1, 'Money is integer cents', {
    text: { rationale: 'Floats lose a cent.', rejected: [{ name: 'Decimal strings', reason: 'Slow in Postgres' }] },
  }),
  node(12, 'Queues in Postgres', {
    text: { rationale: 'One thing less to run.', rejected: [{ name: 'Redis', reason: null }] },
    files_affected: ['src/queue/worker.ts'],
  }),
  node(120, 'Größe der Änderungen', { text: null }),
]
const search = fullText(DECISIONS)
const found = (query: string): number[] => search(query).map(({ place }) => DECISIONS[place]!.num)

test.each([
  ['', []],
  ['   ', []],
  ['money cents', [1]],
  ['CENTS', [1]],
  ['floats', [1]],
  ['redis', [12]],
  ['decimal slow', [1]],
  ['worker.ts', [12]],
  ['postgres', [12, 1]],
  ['grosse', []],
  ['große', [120]],
  ['anderungen', [120]],
  ['12', [12, 120]],
  ['d012', [12, 120]],
  ['D1', [1, 120, 12]],
  ['money redis', []],
  ['(.*', []],
])('searching %j finds %j', (query, expected) => expect(found(query)).toEqual(expected))

test('a hit outside the title names its field', () => {
  expect(search('redis')[0]!.passage).toEqual({ name: 'Rejected', text: 'Redis' })
  expect(search('floats')[0]!.passage).toEqual({ name: '', text: 'Floats lose a cent.' })
  expect(search('money')[0]!.passage).toBeUndefined()
})

test('search words are highlighted, with or without accents and overlaps', () => {
  expect(matchedRanges('Änderungen', searchWords('ander'))).toEqual([[0, 5]])
  expect(matchedRanges('aaa cent cents', ['cent', 'cents'])).toEqual([
    [4, 8],
    [9, 14],
  ])
  expect(matchedRanges('Store a payload of data', searchWords('use a'))).toEqual([[6, 7]])
  for (const text of ['İstanbul', '𝔘nicode', 'ﬁle', 'plain']) expect(fold(text)).toHaveLength(text.length)
})
