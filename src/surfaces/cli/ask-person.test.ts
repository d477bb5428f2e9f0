import { expect, test } from 'vitest'
import { typist } from '../../../test/typist.ts'
import { askPerson } from './ask-person.ts'

test.each([
  ['y', true],
  ['n', false],
  ['\r', false],
  ['\u0003', false],
])('%j returns %s', async (keys, answer) => {
  expect(await askPerson('It would read /etc.\n\nAllow this?', typist([['Allow this?', keys]]))).toBe(answer)
})
