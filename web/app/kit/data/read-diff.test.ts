import { expect, it } from 'vitest'
import { unifiedDiff } from '../../../../src/kernel/domain/text/unified-diff.ts'
import { diffRows, readDiff } from './read-diff.ts'

const names = { before: 'a', after: 'b' }

it('parses the diff that core writes, with its line numbers', () => {
  const before = ['one', 'two', 'three', '- list', '--- dashes'].join('\n')
  const after = ['one', 'zwei', 'drei', 'three', '- list', '+++ pluses'].join('\n')
  const [part, ...rest] = readDiff(unifiedDiff(before, after, names))
  expect(rest).toEqual([])
  expect(part!.lines.map(({ kind, text, before: was, after: is }) => [kind, text, was, is])).toEqual([
    ['same', 'one', 1, 1],
    ['removed', 'two', 2, undefined],
    ['added', 'zwei', undefined, 2],
    ['added', 'drei', undefined, 3],
    ['same', 'three', 3, 4],
    ['same', '- list', 4, 5],
    ['removed', '--- dashes', 5, undefined],
    ['added', '+++ pluses', undefined, 6],
  ])
  expect(diffRows(part!).map(({ before: was, after: is }) => [was?.text, is?.text])).toEqual([
    ['one', 'one'],
    ['two', 'zwei'],
    [undefined, 'drei'],
    ['three', 'three'],
    ['- list', '- list'],
    ['--- dashes', '+++ pluses'],
  ])
})

it('returns nothing without changes, and several parts if changes are far apart', () => {
  expect(readDiff(unifiedDiff('a', 'a', names))).toEqual([])
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`)
  const changed = lines.with(2, 'x').with(35, 'y')
  expect(readDiff(unifiedDiff(lines.join('\n'), changed.join('\n'), names))).toHaveLength(2)
})
