import { describe, expect, test } from 'vitest'
import { hitVerdict, strongest, verdictOf, type Verdict } from './verdict.ts'

describe('a decision', () => {
  test.each<[coverage: number, cosine: number | null, expected: Verdict]>([
    [0.3, null, 'strong'],
    [0.29, null, 'related'],
    [0.21, null, 'related'],
    [0.2, null, 'weak'],
    [0.12, null, 'weak'],
    [0.11, null, 'none'],
    [0, 0.53, 'strong'],
    [0, 0.52, 'related'],
    [0, 0.45, 'related'],
    [0, 0.44, 'weak'],
    [0, 0.39, 'weak'],
    [0, 0.38, 'none'],
    [0.2, 0.43, 'strong'],
  ])('that covers %d of the words with a cosine of %s is %s', (coverage, cosine, expected) => {
    expect(verdictOf({ coverage, cosine })).toBe(expected)
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
