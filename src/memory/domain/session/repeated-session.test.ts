import { expect, test } from 'vitest'
import { originals } from './repeated-session.ts'

const session = (id: string, ...said: readonly string[]): string =>
  [
    '---',
    `session: ${id}`,
    '---',
    '# Why does the export time out?',
    ...said.flatMap((text, at) => [`## ${at % 2 === 0 ? 'User' : 'Assistant'}`, `> at: ${id}`, '', text, '']),
  ].join('\n')

const QUESTION = 'Why does the export of invoices time out?'
const ANSWER = 'The pool has only two connections.\nA raise to ten mends it.'

test('a continued fork repeats its parent, in either order', () => {
  const parent = session('a', QUESTION, ANSWER)
  const fork = session('b', QUESTION, ANSWER, 'And the tests?', 'They pass with a pool of ten.')
  expect(originals([parent, fork])).toEqual([0, 0])
  expect(originals([fork, parent])).toEqual([0, 0])
})

test('the same question with another answer is a different session', () => {
  const other = session('c', QUESTION, 'The network drops idle sockets.\nA heartbeat keeps them open.')
  expect(originals([session('a', QUESTION, ANSWER), other])).toEqual([0, 1])
})

test('sessions of one turn, and files that cannot be read, repeat nothing', () => {
  expect(originals([session('a', 'yes'), session('b', 'yes'), '', ''])).toEqual([0, 1, 2, 3])
})
