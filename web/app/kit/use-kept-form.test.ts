import { expect, test } from 'vitest'
import { formOf } from './use-kept-form.ts'

const EMPTY = { title: '', files: ['a'], compare: true }

test('a form is restored as it was left', () =>
  expect(formOf(JSON.stringify({ title: 'x', files: [], compare: false }), EMPTY)).toEqual({
    title: 'x',
    files: [],
    compare: false,
  }))

test('a missing or mistyped field gets its value from the empty form, and an unknown field is dropped', () => {
  expect(formOf('{"title":7,"files":"b","more":1}', EMPTY)).toEqual(EMPTY)
  for (const broken of [undefined, '{', 'null', '[]']) expect(formOf(broken, EMPTY)).toEqual(EMPTY)
})
