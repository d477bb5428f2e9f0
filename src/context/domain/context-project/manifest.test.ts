import { expect, test } from 'vitest'
import { keptValues } from './manifest.ts'

test('an entry keeps all values of a column or none', () => {
  expect(keptValues(['open', 'paid'])).toEqual(['open', 'paid'])
  expect(keptValues([])).toBeUndefined()
  expect(keptValues(Array.from({ length: 31 }, (_, i) => `v${i}`))).toBeUndefined()
  expect(keptValues(['open', 'x'.repeat(81)])).toBeUndefined()
})
