import { expect, test } from 'vitest'
import { LIMITS, screenProposal, screenTexts, textFault } from './screening.ts'

const texts = {
  title: 'Keep sessions in Redis',
  rationale: 'It is fast and we run it already.\n\nOne more paragraph.',
  rejected: [{ alternative: 'Postgres', reason: 'Too slow.\nAnd more to run.' }],
  files_affected: ['src/session.ts'],
}

test('allows line breaks in rationales and reasons, and rejects them in single-line fields', () => {
  expect(screenTexts(texts)).toBeUndefined()
  expect(screenTexts({ ...texts, title: ' Keep sessions in Redis\n' })).toBeUndefined()
  for (const line of ['\n', '\r', '\u2028', '\u2029']) {
    expect(screenTexts({ ...texts, title: `Keep${line}sessions` })).toBe('The title must be one line.')
    expect(screenTexts({ ...texts, rejected: [{ alternative: `a${line}b`, reason: 'Too slow.' }] })).toBe(
      'The name of a rejected alternative must be one line.',
    )
    expect(screenTexts({ ...texts, files_affected: ['src', `a${line}b`] })).toBe(
      'The path in files_affected must be one line.',
    )
  }
})

test('accepts a text up to its limit, and counts an emoji as one character', () => {
  expect(textFault('title', '🌱'.repeat(LIMITS.title), LIMITS.title)).toBeUndefined()
  expect(textFault('title', '🌱'.repeat(LIMITS.title + 1), LIMITS.title)).toBe(
    'The title has 301 characters; at most 300 are allowed. Shorten it.',
  )
})

test('names hidden characters and tool call residue', () => {
  expect(textFault('title', 'a\u200bb', LIMITS.title)).toMatch(/^The title contains .* at character 2\. Remove it\.$/)
  expect(textFault('rationale', 'Because.</rationale>', LIMITS.rationale)).toBe(
    'The rationale contains the remains of a tool call (</rationale>). Send the text alone.',
  )
})

test('requires at least twenty characters in a rationale, not counting outer white space', () => {
  const proposal = { title: 'Redis', confidence: 'high', decision_type: null, reversibility: null, rejected: [] }
  const screen = (rationale: string) => screenProposal({ ...proposal, rationale }, { hashes: {}, activeTitles: [] })
  expect(screen('x'.repeat(20))).toBeUndefined()
  expect(screen(`  ${'x'.repeat(19)}  `)).toContain('at least 20 characters')
})
