import { expect, test } from 'vitest'
import { isTableRule, tableCells } from './table-lines.ts'

test.each([
  ['| a | b |', ['a', 'b']],
  ['a | b', ['a', 'b']],
  ['| a || b |', ['a', '', 'b']],
  [String.raw`| a \| b | c |`, ['a | b', 'c']],
  [String.raw`| a | b \|`, ['a', 'b |']],
  ['|', []],
])('%s has the cells %j', (line, cells) => expect(tableCells(line)).toEqual(cells))

test.each(['|---|', '| :-- | --: |', '---|:-:', '  | - | - |  '])('%s is the rule of a table', (line) =>
  expect(isTableRule(line)).toBe(true),
)

test.each(['| - a | - |', '|  |  |', '| --- | : |', 'a | b', '', '||---|'])('%j is not the rule of a table', (line) =>
  expect(isTableRule(line)).toBe(false),
)

test('a line of 200,000 bars or dashes is read in time linear in its length', () => {
  expect(isTableRule('-|'.repeat(100_000))).toBe(true)
  expect(tableCells('|'.repeat(200_000))).toHaveLength(199_999)
})
