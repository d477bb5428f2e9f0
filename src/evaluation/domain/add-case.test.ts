import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addCase } from './add-case.ts'
import { caseFileName, caseName, caseText } from './case-text.ts'

const ADDED = caseText({
  about: 'Recorded.',
  fields: { name: 'new', kind: 'answer', prompt: 'One\nand: two', assert: [{ number: 5 }] },
  quotes: [{ title: 'It said:', text: 'hello\n- name: z' }],
})
const NEW = { name: 'new', kind: 'answer', prompt: 'One\nand: two', assert: [{ number: 5 }] }
const a = { name: 'a', kind: 'answer' }

describe('adding a case', () => {
  test.each<[string, string, unknown]>([
    ['a list', '- name: a\n  kind: answer\n', [a, NEW]],
    ['a list with comments', '# top\n\n- name: a # x\n  kind: answer\n  # inner\n\n# end\n', [a, NEW]],
    ['a list that is indented', '  - {name: a, kind: answer}\n', [a, NEW]],
    ['a list under cases', 'cases:\n  - name: a\n    kind: answer\n', { cases: [a, NEW] }],
    [
      'a list with a field behind it',
      'cases:\n  - name: a\n    kind: answer\n\n# of it\nother: 1\n',
      { cases: [a, NEW], other: 1 },
    ],
    ['lines of another system', '- name: a\r\n  kind: answer', [a, NEW]],
    ['a text that keeps its blank lines', '- name: a\n  kind: |+\n    x\n\n\n', [{ name: 'a', kind: 'x\n\n\n' }, NEW]],
    ['comments alone', '# nothing yet\n', [NEW]],
    ['a document with an end', '- name: a\n  kind: answer\n...\n', [a, NEW]],
  ])('keeps every byte of %s', (_what, before, after) => {
    const text = addCase(before, ADDED)
    expect(parse(text)).toEqual(after)
    // The text is unchanged except for one insertion.
    let same = 0
    while (same < before.length && text[same] === before[same]) same++
    expect(text.endsWith(before.slice(same))).toBe(true)
  })

  test.each([
    ['a single case', '# of a\nname: a\nkind: answer\n# inside\n', [a, NEW], ['# of a', '# inside']],
    ['a list in brackets', '[{name: a, kind: answer}] # c\n', [a, NEW], ['# c']],
    ['an empty list', 'cases: [] # c\n', { cases: [NEW] }, ['# c']],
  ])('extends %s and keeps its comments', (_what, before, after, comments) => {
    const text = addCase(before, ADDED)
    expect(parse(text)).toEqual(after)
    for (const comment of comments) expect(text).toContain(comment)
  })

  test.each([
    ['words', 'mine'],
    ['two documents', '- name: a\n---\n- name: b\n'],
    ['what is no YAML', 'a: ['],
    ['what is no list of cases', 'rules:\n  - x\n'],
    ['a bomb of brackets', '['.repeat(5_000)],
  ])('rejects %s', (_what, before) => expect(() => addCase(before, ADDED)).toThrow(/Can’t add to/))

  test('keeps the blank lines at the end of a text', () => {
    const fields = { name: 'n', kind: 'answer', prompt: 'a\n\n', tags: ['\n'] }
    expect(parse(addCase('- name: a\n  kind: answer\n', caseText({ about: 'x', fields, quotes: [] })))).toEqual([
      a,
      fields,
    ])
  })

  test('round-trips any text', () => {
    const said = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
    const odd = fc.constantFrom(
      '- name: x',
      ': {',
      '# no',
      '"',
      "'",
      '\u2028- a: b',
      '\r\n...\n',
      '&a *a',
      '|',
      '\t- x',
      '!!js',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(said, odd), { minLength: 1, maxLength: 6 }), fc.boolean(), (parts, isFirst) => {
        const fields = {
          name: 'n',
          kind: 'answer',
          prompt: parts.join('\n').toWellFormed(),
          tags: parts.map((one) => one.toWellFormed()),
        }
        const text = caseText({ about: parts[0]!, fields, quotes: [{ title: parts.at(-1)!, text: parts.join('\n') }] })
        const whole = addCase(isFirst ? undefined : '- name: a\n  kind: answer\n', text)
        expect(parse(whole)).toEqual([...(isFirst ? [] : [a]), fields])
      }),
      { numRuns: 40 },
    )
  })
})

test('case names are unique', () => {
  expect(caseName('How many  orders?\n')).toBe('How many orders?')
  expect(caseName('How many orders?', new Set(['how many orders?', 'How many orders? (2)']))).toBe(
    'How many orders? (3)',
  )
  expect(caseName(' ')).toBe('A question')
})

test('file names only use portable letters', () => {
  expect(caseFileName('Umsatz im März: wie viel?')).toBe('umsatz-im-marz-wie-viel')
  expect(caseFileName('../../etc/passwd')).toBe('etc-passwd')
  expect(caseFileName('売上は？')).toBe('a-question')
})
