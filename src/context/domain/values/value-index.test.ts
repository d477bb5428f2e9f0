import { expect, test } from 'vitest'
import { indexedColumn, openValueIndex, type ValueIndex } from './value-index.ts'

const KNOWN = new Set('how many drivers orders from wins has late the city of in show for silver'.split(' '))

function open(columns: Readonly<Record<string, readonly string[]>>, heldBack: readonly string[] = []): ValueIndex {
  const indexed = Object.entries(columns).map(
    ([name, values], i) => [0, i, indexedColumn(name, values, heldBack.includes(name))] as const,
  )
  return openValueIndex(indexed, (word) => KNOWN.has(word))
}
const found = (index: ValueIndex, question: string): readonly (string | undefined)[] =>
  index.find(question).flatMap(({ places }) => places.map(({ value }) => value))

test.each([
  ['as it is stored', 'How many wins has Hamilton?', ['Hamilton']],
  ['in another case', 'how many wins has hamilton?', ['Hamilton']],
  ['without its accents', 'How many orders from Malmo?', ['Malmö']],
  ['with a typo', 'How many wins has Hamliton?', ['Hamilton']],
  ['with a letter missing, in lower case', 'orders from stuttgrt', ['Stuttgart']],
  ['of several words', 'Show the wins of Max van der Berg', ['Max van der Berg']],
  ['by one of its words', 'Orders from Silverline?', ['Silverline Traders']],
])('finds a value %s', (_how, question, values) => {
  const index = open({
    a: ['Hamilton', 'Berg'],
    b: ['Malmö', 'Stuttgart'],
    c: ['Max van der Berg', 'Silverline Traders'],
  })
  expect(found(index, question)).toEqual(values)
})

test('does not mistake a common word for a value or a typo of one', () => {
  const index = open({ a: ['lake', 'The', 'silvery', 'Latex', 'of'] })
  expect(found(index, 'How many late orders has the city of silver in the show?')).toEqual([])
})

test('ignores a word that too many columns have', () => {
  const columns = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`c${i}`, ['Berlin']]))
  expect(found(open(columns), 'Orders from Berlin')).toEqual([])
})

test('confirms a withheld value only if the question names it, and stores none', () => {
  const heldBack = indexedColumn('email', ['ada@lovelace.example', 'Ada Lovelace', 'LOVELACE', 'McAda'], true)
  expect(JSON.stringify(heldBack)).not.toMatch(/ada|lovelace/i)
  const index = open({ name: ['Ada Lovelace', 'LOVELACE', 'McAda'] }, ['name'])
  expect(found(index, 'orders of ada lovelace')).toEqual(['Ada Lovelace'])
  expect(found(index, 'orders of Lovelace')).toEqual(['LOVELACE'])
  expect(found(index, 'orders of mcada')).toEqual([undefined])
  expect(found(index, 'orders of Ada Lovelase')).toEqual([])
  expect(found(index, 'orders of Ada')).toEqual([])
})

test('skips texts too long for a question, and short numbers', () => {
  expect(indexedColumn('note', ['x'.repeat(100), '12', 'ok', 'fine'], false).values).toEqual(['fine'])
})
