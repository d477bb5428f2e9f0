import { expect, test } from 'vitest'
import { wordsRedactor } from './words-redactor.ts'

const redact = async (words: readonly string[], text: string) => (await wordsRedactor(words).redact(text)).text

test('removes whole words in any case, and keeps longer words', async () => {
  expect(await redact(['Ann'], 'Ann, ANN and ann know Anna and Joann.')).toBe(
    '[redacted], [redacted] and [redacted] know Anna and Joann.',
  )
})

test('removes the longest passage across a line break, and keeps the break', async () => {
  expect(await redact(['Ada', 'Ada Byron'], 'Asked Ada\nByron, then Ada.')).toBe('Asked [redacted]\n, then [redacted].')
})

test('treats special characters in a word literally', async () => {
  expect(await redact(['a.b+c@x.example', 'Müller-Lüdi'], 'a.b+c@x.example aXb+c@x.example MÜLLER-LÜDI')).toBe(
    '[redacted] aXb+c@x.example [redacted]',
  )
})

test('is idempotent, and refuses words that would match everywhere', async () => {
  const once = await redact(['Ada'], 'Ada')
  expect(await redact(['Ada'], once)).toBe(once)
  expect(() => wordsRedactor(['a'])).toThrow(/at least 2 characters/)
  expect(() => wordsRedactor(['..'])).toThrow(/letter or digit/)
  for (const words of [['  '], ['Ada', ' \n '], []]) expect(() => wordsRedactor(words)).toThrow(/at least 2 characters/)
})
