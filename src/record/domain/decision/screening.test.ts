import { expect, test } from 'vitest'
import { LIMITS, screenProposal, screenTexts, textFault } from './screening.ts'

const texts = {
  title: 'Keep sessions in Redis',
  rationale: 'It is fast and we run it already.\n\nOne more paragraph.',
  rejected: [{ alternative: 'Postgres', reason: 'Too slow.\nAnd more to run.' }],
  files_affected: ['src/session.ts'],
}

test('rationales and reasons have lines; what stands in one line has one', () => {
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

test('a text may be as long as its limit, and an emoji is one character of it', () => {
  expect(textFault('title', '🌱'.repeat(LIMITS.title), LIMITS.title)).toBeUndefined()
  expect(textFault('title', '🌱'.repeat(LIMITS.title + 1), LIMITS.title)).toBe(
    'The title has 301 characters; at most 300 are allowed. Shorten it.',
  )
})

test('hidden characters and the remains of a tool call are named', () => {
  expect(textFault('title', 'a\u200bb', LIMITS.title)).toMatch(/^The title contains .* at character 2\. Remove it\.$/)
  expect(textFault('rationale', 'Because.</rationale>', LIMITS.rationale)).toBe(
    'The rationale contains the remains of a tool call (</rationale>). Send the text alone.',
  )
})

test('a rationale is at least twenty characters, white space around it not counted', () => {
  const proposal = { title: 'Redis', confidence: 'high', decision_type: null, reversibility: null, rejected: [] }
  const screen = (rationale: string) => screenProposal({ ...proposal, rationale }, { hashes: {}, activeTitles: [] })
  expect(screen('x'.repeat(20))).toBeUndefined()
  expect(screen(`  ${'x'.repeat(19)}  `)).toContain('at least 20 characters')
})
