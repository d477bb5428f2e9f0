import { expect, test } from 'vitest'
import { changedSince, formOf } from './use-kept-form.ts'

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

test('after a form was sent, only what was changed during sending is left', () => {
  const sent = { title: 'x', files: ['b'], compare: false }
  expect(changedSince(sent, { ...sent }, EMPTY)).toEqual(EMPTY)
  expect(changedSince(sent, { ...sent, title: 'x and more' }, EMPTY)).toEqual({ ...EMPTY, title: 'x and more' })
})
