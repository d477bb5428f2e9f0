import { describe, expect, test } from 'vitest'
import { hitVerdict, personVerdict, strongest, verdictOf, type Verdict } from './verdict.ts'

describe('a decision', () => {
  test.each<[coverage: number, expected: Verdict]>([
    [0.3, 'strong'],
    [0.29, 'related'],
    [0.21, 'related'],
    [0.2, 'weak'],
    [0.12, 'weak'],
    [0.11, 'none'],
  ])('coverage of %d of the words, without a vector, is %s', (coverage, expected) => {
    expect(verdictOf({ coverage, cosine: null }, { generality: 0.5, line: 0.4 })).toBe(expected)
  })

  test('is judged by its distance from the relevance line of its record', () => {
    const verdicts = [0.37, 0.38, 0.41, 0.55].map((cosine) =>
      verdictOf({ coverage: 0, cosine }, { generality: 0, line: 0.4 }),
    )
    expect(verdicts).toEqual(['none', 'weak', 'related', 'strong'])
    expect(verdictOf({ coverage: 0, cosine: 0.41 }, { generality: 0, line: 0.5 })).toBe('none')
  })

  test('gains from shared words', () => {
    expect(verdictOf({ coverage: 0.4, cosine: 0.4 }, { generality: 0, line: 0.45 })).toBe('strong')
    expect(verdictOf({ coverage: 0, cosine: 0.4 }, { generality: 0, line: 0.45 })).toBe('none')
  })

  test('needs a higher score if the query is general', () => {
    expect(verdictOf({ coverage: 0, cosine: 0.6 }, { generality: 0.2, line: 0.4 })).toBe('related')
    expect(verdictOf({ coverage: 0, cosine: 0.6 }, { generality: 0.4, line: 0.4 })).toBe('none')
  })
})

describe('a hit of a conversation, for a question about one speaker,', () => {
  test.each<[verdict: Verdict, lead: number, expected: Verdict]>([
    ['strong', 0.33, 'strong'],
    ['strong', 0.32, 'related'],
    ['related', 2, 'related'],
    ['strong', -0.05, 'related'],
    ['strong', -0.06, 'weak'],
    ['related', -0.06, 'weak'],
    ['none', -1, 'none'],
  ])('that is %s is, with a lead of %d, %s', (verdict, lead, expected) => {
    expect(personVerdict(verdict, lead)).toBe(expected)
  })
})

describe('a memory hit', () => {
  const calibration = { beta: 0.5, noise: 0.3, strong: 0.8 }
  const lines = { ...calibration, lines: { strong: 1.05, related: 0.8 } }

  test.each<[score: number, expected: Verdict]>([
    [0.5, 'strong'],
    [0.49, 'related'],
    [0.3, 'related'],
    [0.29, 'weak'],
    [0.05, 'weak'],
    [0.04, 'none'],
  ])('a score of %d by words is %s', (score, expected) => {
    expect(hitVerdict({ by: 'words', score, coverage: 0, cosine: null, calibration: lines })).toBe(expected)
  })

  test.each<[score: number, coverage: number, cosine: number, expected: Verdict]>([
    [1.05, 0.4, 0.6, 'strong'],
    [1.04, 0.9, 0.3, 'related'],
    [0.8, 0, 0.8, 'related'],
    [0.79, 0.6, 0.1, 'weak'],
    [0.3, 0, 0.3, 'weak'],
    [0.29, 0.02, 0.29, 'none'],
  ])('a score of %d by words and meaning is judged by the lines of its model', (score, coverage, cosine, expected) => {
    expect(hitVerdict({ by: 'both', score, coverage, cosine, calibration: lines })).toBe(expected)
  })

  test.each<[coverage: number, cosine: number, expected: Verdict]>([
    [0.5, 0, 'strong'],
    [0, 0.8, 'strong'],
    [0.2, 0.71, 'strong'],
    [0, 0.56, 'related'],
    [0, 0.54, 'weak'],
    [0.3, 0.3, 'related'],
    [0, 0.3, 'weak'],
    [0, 0.29, 'none'],
    [0.1, 0.29, 'weak'],
  ])(
    'coverage of %d of the words with a cosine of %d is %s for a model without lines',
    (coverage, cosine, expected) => {
      expect(hitVerdict({ by: 'both', score: 0, coverage, cosine, calibration })).toBe(expected)
    },
  )

  test('is weak if the embedder has no calibration, unless coverage alone yields a better verdict', () => {
    const hit = { by: 'both', score: 0, cosine: 0.9, calibration: undefined } as const
    expect(hitVerdict({ ...hit, coverage: 0 })).toBe('weak')
    expect(hitVerdict({ ...hit, coverage: 0.3 })).toBe('related')
  })
})

test('returns the strongest of several verdicts, and none for an empty list', () => {
  expect(strongest(['weak', 'related', 'none'])).toBe('related')
  expect(strongest([])).toBe('none')
})
