import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addQuestion,
  migrateQuestions,
  nextQuestionNumber,
  openQuestions,
  parseQuestions,
  questionNumber,
  resolveQuestions,
} from './question.ts'

const FILE = `# Open Questions

<!-- newest first -->

- [Q3] Third?
- [Q2] Second?
  with a second line
- [Q1] First?

## Resolved

- [Resolved by D4 on 2026-01-02] [Q4] Done?
`

test('a new question is added on top, below heading and comments, with the next free number', () => {
  expect(nextQuestionNumber(FILE)).toBe(5)
  const text = addQuestion(FILE, 5, 'New?\nWith detail.')
  expect(text).toContain('<!-- newest first -->\n\n- [Q5] New?\n  With detail.\n- [Q3] Third?')
  expect(openQuestions(text).map((q) => q.id)).toEqual(['Q5', 'Q3', 'Q2', 'Q1'])
})

test('adding to an empty file writes the heading first', () => {
  expect(addQuestion('', 1, 'Why?')).toBe('# Open Questions\n\n- [Q1] Why?\n')
})

test('resolving stamps an entry and moves the whole entry under Resolved', () => {
  const { text, moved } = resolveQuestions(FILE, new Set([2]), 7, '2026-02-03')
  expect(moved).toEqual([2])
  expect(text.indexOf('## Resolved')).toBeLessThan(
    text.indexOf('[Resolved by D7 on 2026-02-03] [Q2] Second?\n  with a second line'),
  )
  expect(openQuestions(text).map((q) => q.id)).toEqual(['Q3', 'Q1'])
  expect(resolveQuestions(text, new Set([2]), 7, '2026-02-03').text).toBe(text)
})

test('an entry with prose attached is stamped in place, so that the prose stays with it', () => {
  const prose = '# Open Questions\n\n- [Q1] First?\n\nSomeone explains it here.\n\n- [Q2] Second?\n'
  const { text, moved, left } = resolveQuestions(prose, new Set([1, 2]), 3, '2026-02-03')
  expect(moved).toEqual([2])
  expect(left).toEqual([1])
  expect(text).toContain('- [Resolved by D3 on 2026-02-03] [Q1] First?\n\nSomeone explains it here.')
})

test('does not treat a heading named Unresolved as the Resolved heading', () => {
  const text = '# Q\n\n## Unresolved\n\n- [Q1] a?\n'
  expect(resolveQuestions(text, new Set([1]), 2, '2026-01-01').text).toContain(
    '## Unresolved\n\n## Resolved\n\n- [Resolved by D2 on 2026-01-01] [Q1] a?',
  )
})

test('no question is lost by adding and resolving in any order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant('add' as const), fc.integer({ min: 1, max: 8 })), { maxLength: 15 }),
      (steps) => {
        let text = ''
        let added = 0
        for (const step of steps) {
          if (step === 'add') text = addQuestion(text, ++added, `Question ${added}?`)
          else text = resolveQuestions(text, new Set([step]), 1, '2026-01-01').text
        }
        expect(
          parseQuestions(text)
            .map((q) => q.number)
            .sort((a, b) => a! - b!),
        ).toEqual(Array.from({ length: added }, (_, i) => i + 1))
      },
    ),
  )
})

describe('parses question ids', () => {
  test.each([
    ['Q7', 7],
    ['q007', 7],
    [' 12 ', 12],
    ['Q0', undefined],
    ['D7', undefined],
    ['', undefined],
  ])('%j', (id, number) => expect(questionNumber(id)).toBe(number))
})

test('questions with only a time get a number and keep the time', () => {
  const { text, migrated } = migrateQuestions(
    '# Open Questions\n\n- [2026-01-02 10:00 UTC] Newer?\n- [2026-01-01 09:00 UTC] Older?\n- [Q4] Has one\n',
  )
  expect(migrated).toEqual(['Q5', 'Q6'])
  expect(text).toContain('- [Q6] Newer? (logged 2026-01-02 10:00 UTC)\n- [Q5] Older? (logged 2026-01-01 09:00 UTC)')
})
