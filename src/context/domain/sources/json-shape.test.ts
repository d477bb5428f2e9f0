import { expect, test } from 'vitest'
import { jsonShape, LONGEST_SHAPE } from './json-shape.ts'

const shape = (values: readonly unknown[], more = { values: true }): string | undefined =>
  jsonShape(
    values.map((value) => JSON.stringify(value)),
    more,
  )

test('lists keys with their types, examples and whether they may be missing', () => {
  expect(
    shape([
      { channel: 'web', items: [{ sku: 'A', qty: 1 }], at: '2024-01-31', gift: true, 'odd key': null },
      { channel: 'app', items: [{ sku: 'B', qty: 5 }], at: '2024-02-01', gift: false, note: 'x'.repeat(50) },
    ]),
  ).toBe(
    '{channel: "app"/"web", items: [{sku: "A"/"B", qty: 1…5}], at: YYYY-MM-DD, gift: boolean, "odd key"?: null, note?: text}',
  )
})

test('shows the element type of lists', () => {
  expect(shape([['a', 'b'], ['c', 'd'], []])).toBe('["a"/"b"/"c"/…]')
  expect(shape([[1, 2], [3]])).toBe('[1…3]')
})

test('omits keys that are data', () => {
  const people = Array.from({ length: 100 }, (_, i) => ({ [`person${i}`]: i }))
  expect(shape(people)).toBe('{<key>: number}')
  expect(shape(people.slice(0, 20))).toBe('{<key>: number}')
})

test('shows only keys and types if values are excluded, and only keys that most objects share', () => {
  expect(
    shape(
      [
        { mail: 'ada@example.com', n: 5 },
        { mail: 'bob@example.com', n: 7 },
        { ada: 1, mail: 'x', n: 1 },
      ],
      { values: false },
    ),
  ).toBe('{mail: text, n: number}')
  expect(shape([{ 'ada@example.com': 1 }, { 'bob@example.com': 2 }, { 'eve@example.com': 2 }], { values: false })).toBe(
    '{<key>: number}',
  )
})

test('never shows the value of a secret key as an example', () => {
  expect(shape([{ password: 'hunter2', user: 'ada' }])).toBe('{password: text, user: "ada"}')
})

test('invalid JSON has no shape, and the cost of a deep or wide value is bounded', () => {
  expect(jsonShape(['{"a": 1}', '{broken'], { values: true })).toBeUndefined()
  expect(jsonShape(['1', '2'], { values: true })).toBeUndefined()
  expect(jsonShape(['['.repeat(5_000) + ']'.repeat(5_000)], { values: true })).toBe('[[[[[]]]]]')
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key_with_a_long_name_${i}`, 'v']))
  expect(shape([wide, wide])!.length).toBeLessThanOrEqual(LONGEST_SHAPE)
})
