import { expect, test } from 'vitest'
import { codePattern } from './code-pattern.ts'

test.each([
  [['SKU-00012', 'SKU-00013', 'SKU-10014', 'SKU-90015', 'SKU-00016'], 'SKU-00000'],
  [['10115', '80331', '20095', '50667', '01067'], '00000'],
  [['DE-1a', 'FR-2b', 'GB-3c', 'US-4d', 'JP-5e'], 'AA-0a'],
  [['Product 1', 'Product 22', 'Product 333', 'Product 4', 'Product 5'], 'Product 0…'],
  [['Item1', 'Item2', 'Item3', 'Item4', 'Item10'], 'Item0…'],
  [Array.from({ length: 5 }, (_, i) => `123e4567-e89b-12d3-a456-42661417400${i}`), 'uuid'],
])('%j has the shape %s', (values, pattern) => {
  expect(codePattern(values)).toBe(pattern)
})

test.each([
  [['red', 'sky', 'sea', 'sun', 'fun']],
  [['SKU-1', 'SKU-2']],
  [['a', 'bb', 'ccc', 'dddd', 'eeeee']],
  [['1', '22', '333', '4444', '']],
])('%j has no common shape', (values) => {
  expect(codePattern(values)).toBeUndefined()
})
