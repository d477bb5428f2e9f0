import { expect, test } from 'vitest'
import { ALNUM, openDraw, pem } from '../../../../eval/secrets/make.ts'
import { tunedSecrets } from '../../../../eval/secrets/secrets-tuned.ts'
import { redactPart, redactWithin } from './redact-part.ts'
import { redactSecrets } from './redact.ts'

const FILLER = 'A line of ordinary prose that fills the page.\n'

/** Every range of lines, as cut by line reads and snippets. */
function everyRange(text: string): [number, number][] {
  const starts = [
    0,
    ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1).filter((at) => at < text.length),
    text.length,
  ]
  return starts.flatMap((from, i) => starts.slice(i + 1).map((to): [number, number] => [from, to]))
}

test.each(tunedSecrets().map(({ kind, text }) => [kind, text] as const))(
  'any lines of a text with a secret are redacted as they are in the whole text: %s',
  (_kind, text) => {
    const whole = redactSecrets(text).text.split('\n')
    for (const [from, to] of everyRange(text)) {
      const first = text.slice(0, from).split('\n').length - 1
      const lines = text.slice(from, to).split('\n')
      const expected = whole.slice(first, first + lines.length).join('\n')
      expect(redactPart(text, from, to)).toBe(
        to < text.length || text.endsWith('\n')
          ? `${whole.slice(first, first + lines.length - 1).join('\n')}${lines.length > 1 ? '\n' : ''}`
          : expected,
      )
    }
  },
)

test('lines in the middle of a long key block are fully redacted', () => {
  const { text: block, body } = pem(openDraw(5), 'RSA ', 120)
  const text = `${FILLER.repeat(300)}${block}\n${FILLER.repeat(300)}`
  const from = text.indexOf(body) + 60 * 65
  const part = redactPart(text, from, from + 10 * 65)
  expect(part).toBe('\n'.repeat(10))
})

test('a part of a long text without secrets is returned unchanged', () => {
  const text = Array.from({ length: 2_000 }, (_, i) => `${i} ${FILLER}`).join('')
  const from = text.indexOf('1000 ')
  const to = text.indexOf('1010 ')
  expect(redactPart(text, from, to)).toBe(text.slice(from, to))
  expect(redactPart(text, 0, text.length)).toBe(text)
  expect(redactPart('', 0, 0)).toBe('')
})

test('finds a secret whose name is some lines above the part', () => {
  const value = openDraw(6)(ALNUM, 20)
  const text = `env:\n  - name: DB_PASSWORD\n    value: "${value}"\n`
  expect(redactPart(text, text.indexOf('    value'), text.length)).toBe('    value: "[redacted]"\n')
})

test('no part of a long line shows a piece of a secret, wherever it begins and ends', () => {
  const value = openDraw(7)(ALNUM, 24)
  const prose = 'a line without a break, '.repeat(4_000)
  const text = `${prose}DB_PASSWORD="${value}"; ${prose}`
  const at = text.indexOf(value)
  for (const from of [at - 4_000, at - 1, at, at + 9, at + 23]) {
    for (const to of [at + 1, at + 12, at + 24, at + 4_000].filter((end) => end > from)) {
      const part = redactWithin(text, from, to)
      for (let i = 0; i < value.length; i++) expect(part).not.toContain(value.slice(i, i + 4).padEnd(4, '\0'))
      expect(part).toContain('[redacted]')
    }
  }
  expect(redactWithin(text, 100, 4_100)).toBe(text.slice(100, 4_100))
  expect(redactWithin('', 0, 0)).toBe('')
})

test('a part leaves out a run of letters that may hold an encoded secret further away', () => {
  const letters = 'QUJD'.repeat(30_000)
  expect(redactWithin(`words ${letters} more words`, 60_000, 64_000)).toBe('')
  expect(redactWithin(`words ${letters} more words`, 0, 4_000)).toBe('words ')
  const short = 'QUJD'.repeat(5_000)
  expect(redactWithin(`words ${short} more words`, 10_000, 10_004)).toHaveLength(4)
})
