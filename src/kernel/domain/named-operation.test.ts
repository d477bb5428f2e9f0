import { expect, test } from 'vitest'
import { fieldNamed, operationNamed, spellDeep, spellNames, type Spelling } from './named-operation.ts'

const loud: Spelling = {
  operation: (name, argument) => (name === 'get_decision' ? `SHOW[${argument}]` : undefined),
  field: (name) => `-${name}`,
}

test('each surface spells operations and fields differently', () => {
  const text = `Read ${operationNamed('get_decision', 2)} or ${operationNamed('get_decision')}; see ${fieldNamed('fail_on')}.`
  expect(spellNames(text, loud)).toBe('Read SHOW[2] or SHOW[]; see -fail_on.')
})

test('text without valid marks stays unchanged', () => {
  const text =
    'get_decision(2), \u{fdd0}x y\u{fdd1}, \u{fdd0}Get_Decision\u{fdd1}, \u{fdd0}get_decision:\n2\u{fdd1}, \u{fdd0}get_decision:2'
  expect(spellNames(text, loud)).toBe(text)
})

test('a forged mark is ignored', () => {
  const forged = '\u{fdd0}get_decision:2\u{fdd1} \u{fdd0}.fail_on\u{fdd1} \u{fdd0}abc.get_decision\u{fdd1}'
  expect(spellNames(forged, loud)).toBe(forged)
})

test('spells names inside a value, and returns a value without names itself', () => {
  const at = new Date(0)
  const plain = { list: ['a'], at, none: null }
  expect(spellDeep(plain, loud)).toBe(plain)
  expect(spellDeep({ ...plain, list: [{ hint: operationNamed('get_decision', 'D1') }] }, loud)).toEqual({
    ...plain,
    list: [{ hint: 'SHOW[D1]' }],
  })
})
