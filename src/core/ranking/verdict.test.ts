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
  ])('that covers %d of the words, without a vector, is %s', (coverage, expected) => {
    expect(verdictOf({ coverage, cosine: null }, 0.2)).toBe(expected)
  })

  test('is judged by how far it stands above chance', () => {
    const verdicts = [0.46, 0.47, 0.49, 0.61].map((cosine) => verdictOf({ coverage: 0, cosine }, 0.2))
    expect(verdicts).toEqual(['none', 'weak', 'related', 'strong'])
    expect(verdictOf({ coverage: 0, cosine: 0.49 }, 0.3)).toBe('none')
  })

  test('gains by words that it shares', () => {
    expect(verdictOf({ coverage: 0.4, cosine: 0.4 }, 0.2)).toBe('strong')
    expect(verdictOf({ coverage: 0, cosine: 0.4 }, 0.2)).toBe('none')
  })
})

describe('a hit of the memory', () => {
  const calibration = { beta: 0.5, noise: 0.3, strong: 0.8 }

  test.each<[coverage: number, expected: Verdict]>([
    [0.45, 'strong'],
    [0.44, 'related'],
    [0.25, 'related'],
    [0.24, 'weak'],
    [0.05, 'weak'],
    [0.04, 'none'],
  ])('that covers %d of the words, without a vector, is %s', (coverage, expected) => {
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
  ])('that covers %d of the words with a cosine of %d is %s', (coverage, cosine, expected) => {
    expect(hitVerdict({ coverage, cosine, calibration })).toBe(expected)
  })

  test('that an embedder without a calibration found is weak, and no more than its words are worth', () => {
    expect(hitVerdict({ coverage: 0, cosine: 0.9, calibration: undefined })).toBe('weak')
    expect(hitVerdict({ coverage: 0.3, cosine: 0.9, calibration: undefined })).toBe('related')
  })
})

test('of several verdicts the strongest counts, and of none none', () => {
  expect(strongest(['weak', 'related', 'none'])).toBe('related')
  expect(strongest([])).toBe('none')
})
