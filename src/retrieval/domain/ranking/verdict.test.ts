import { describe, expect, test } from 'vitest'
import { hitVerdict, strongest, verdictOf, type Verdict } from './verdict.ts'

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

  test('needs more if the query is general', () => {
    expect(verdictOf({ coverage: 0, cosine: 0.6 }, { generality: 0.2, line: 0.4 })).toBe('related')
    expect(verdictOf({ coverage: 0, cosine: 0.6 }, { generality: 0.4, line: 0.4 })).toBe('none')
  })
})

describe('a memory hit', () => {
  const calibration = { beta: 0.5, noise: 0.3, strong: 0.8 }

  test.each<[coverage: number, expected: Verdict]>([
    [0.45, 'strong'],
    [0.44, 'related'],
    [0.25, 'related'],
    [0.24, 'weak'],
    [0.05, 'weak'],
    [0.04, 'none'],
  ])('coverage of %d of the words, without a vector, is %s', (coverage, expected) => {
    expect(hitVerdict({ coverage, cosine: null, calibration })).toBe(expected)
  })

  test.each<[coverage: number, cosine: number, expected: Verdict]>([
    [0.45, 0, 'strong'],
    [0, 0.8, 'strong'],
    [0.2, 0.71, 'strong'],
    [0, 0.56, 'related'],
    [0, 0.54, 'weak'],
    [0.25, 0.3, 'related'],
    [0, 0.3, 'weak'],
    [0, 0.29, 'none'],
    [0.1, 0.29, 'weak'],
  ])('coverage of %d of the words with a cosine of %d is %s', (coverage, cosine, expected) => {
    expect(hitVerdict({ coverage, cosine, calibration })).toBe(expected)
  })

  test('is weak if the embedder has no calibration, unless coverage alone yields a better verdict', () => {
    expect(hitVerdict({ coverage: 0, cosine: 0.9, calibration: undefined })).toBe('weak')
    expect(hitVerdict({ coverage: 0.3, cosine: 0.9, calibration: undefined })).toBe('related')
  })
})

test('returns the strongest of several verdicts, and none for an empty list', () => {
  expect(strongest(['weak', 'related', 'none'])).toBe('related')
  expect(strongest([])).toBe('none')
})
