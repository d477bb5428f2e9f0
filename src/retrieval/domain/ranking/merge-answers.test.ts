import { expect, test } from 'vitest'
import { mergeAnswers } from './merge-answers.ts'
import type { Verdict } from './verdict.ts'

const VERDICTS: Readonly<Record<string, Verdict>> = { s: 'strong', r: 'related', w: 'weak' }
/** `s1 r2`: a strong hit named s1, a related one named r2. */
const hits = (names: string) => (names === '' ? [] : names.split(' ')).map((id) => ({ id, verdict: VERDICTS[id[0]!]! }))
const merged = (own: string, others: string, limit = 10): string =>
  mergeAnswers(hits(own), hits(others), limit)
    .map(({ id }) => id)
    .join(' ')

test('hits of the same verdict alternate by rank, own ones first', () => {
  expect(merged('s1 s2 s3', 'sA sB')).toBe('s1 sA s2 sB s3')
})

test('a weak hit from one index ranks below every better hit from the other, and vice versa', () => {
  expect(merged('s1 r2 w3', 'wA wB')).toBe('s1 r2 w3 wA wB')
  expect(merged('w1 w2', 'sA rB')).toBe('sA rB w1 w2')
})

test('each list keeps its order, whatever its verdicts are', () => {
  const order = merged('w1 s2 r3', 'rA sB wC').split(' ')
  expect(order.filter((id) => /\d/.test(id))).toEqual(['w1', 's2', 'r3'])
  expect(order.filter((id) => !/\d/.test(id))).toEqual(['rA', 'sB', 'wC'])
})

test('returns the requested number, and a single list unchanged', () => {
  expect(merged('s1 s2 s3', 'sA sB sC', 3)).toBe('s1 sA s2')
  expect(merged('s1 w2 s3', '')).toBe('s1 w2 s3')
  expect(merged('', 'sA wB')).toBe('sA wB')
  expect(merged('', '')).toBe('')
})
