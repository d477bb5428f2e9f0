import { describe, expect, test } from 'vitest'
import { timeInQuestion } from './question-time.ts'

// A Wednesday.
const NOW = Date.parse('2026-11-18T10:00:00Z')
const read = (text: string) => timeInQuestion(text, NOW)

test.each([
  ['What did we do on 15 November?', '15 November 2026', 'What did we do?'],
  ['what did we do on November 15th, 2025', '15 November 2025', 'what did we do'],
  ['which commands failed yesterday', '17 November 2026', 'which commands failed'],
  ['what broke on 2026-10-02?', '2 October 2026', 'what broke?'],
  ['what changed last week', '9 November 2026 to 15 November 2026', 'what changed'],
  ['what did we ship in October', '1 October 2026 to 31 October 2026', 'what did we ship'],
  ['what did we ship in December', '1 December 2025 to 31 December 2025', 'what did we ship'],
  ['what did I fix on Monday', '16 November 2026', 'what did I fix'],
  ['what was tried three days ago', '15 November 2026', 'what was tried'],
  ['what did we try two weeks ago', '1 November 2026 to 7 November 2026', 'what did we try'],
  ['errors in the last 3 days', 'since 15 November 2026', 'errors'],
  ['what changed since 1 November', 'since 1 November 2026', 'what changed'],
  ['what did we use before 1 November 2026', 'before 1 November 2026', 'what did we use'],
  ['Was haben wir am 15. November gemacht?', '15 November 2026', 'Was haben wir gemacht?'],
  ['was ist gestern fehlgeschlagen', '17 November 2026', 'was ist fehlgeschlagen'],
  ['was haben wir vor zwei Wochen versucht', '1 November 2026 to 7 November 2026', 'was haben wir versucht'],
  ['qu’avons-nous fait le 15 novembre', '15 November 2026', 'qu’avons-nous fait'],
  ['qu’avons-nous fait hier', '17 November 2026', 'qu’avons-nous fait'],
  ['qué hicimos el 15 de noviembre', '15 November 2026', 'qué hicimos'],
  ['qué falló la semana pasada', '9 November 2026 to 15 November 2026', 'qué falló'],
])('%s: %s', (text, shown, rest) => {
  expect(read(text)).toMatchObject({ shown, rest })
})

test.each([
  ['what did we do last?', 'newest', 'what did we do?'],
  ['which file did I change last', 'newest', 'which file did I change'],
  ['what was our last session about', 'newest', 'what was session about'],
  ['woran haben wir zuletzt gearbeitet', 'newest', 'woran haben wir gearbeitet'],
  ['what did we do first', 'oldest', 'what did we do'],
])('%s asks for the %s', (text, order, rest) => {
  expect(read(text)).toMatchObject({ order, span: undefined, rest })
})

describe('no time is read from', () => {
  test.each([
    'why did we move off the old queue',
    'the release planned for 15 November',
    'the 3 May outage',
    'is the report due on Monday',
    'yesterday’s incident',
    'may we use march for tests',
    'how does the last element get its index',
    'first in, first out queue',
    'version 2026-11',
    'src/2026-11-15-notes.md',
    'sun and mon columns',
    'the last word of a line',
  ])('%s', (text) => expect(read(text)).toBeUndefined())
})

test('a long text is not searched for a time', () => {
  expect(read(`${'yesterday '.repeat(100)}`)).toBeUndefined()
})
