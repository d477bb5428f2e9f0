import { expect, test } from 'vitest'
import { referencesIn } from './references.ts'

const found = (text: string, language = 'typescript') =>
  referencesIn(text, language).map(({ start, end }) => text.slice(start, end))

test('finds ids in Markdown, padded or not', () => {
  expect(found('See D12, D012 and (Q3).', 'markdown')).toEqual(['D12', 'D012', 'Q3'])
})

test('finds ids in code comments, and ignores names', () => {
  expect(found('const D3 = 1 // as D004 says\n# D5\n/*\n * D6\n */\nlet Q1\n')).toEqual(['D004', 'D5', 'D6'])
})

test('ignores parts of words, versions, addresses and colours', () => {
  expect(found('AD12 D12a D1.5 /D7 #D8 x-D9 D1234567 D0', 'markdown')).toEqual([])
})

test('reads a megabyte of ids on one line of code', () => {
  expect(found('D1,'.repeat(340_000))).toEqual([])
  expect(found(`${'D1,'.repeat(300_000)} // D2\nD3 // D4`)).toEqual(['D2', 'D4'])
})

test('is bounded on a text full of ids', () => {
  expect(referencesIn('D1 '.repeat(100_000), 'markdown')).toHaveLength(2_000)
  expect(referencesIn('D1 '.repeat(1_000_000), 'markdown')).toEqual([])
})
