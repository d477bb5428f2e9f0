import { expect, test } from 'vitest'
import { endsInsideFence } from './markdown-fences.ts'
import { plainRationale } from './markdown.ts'

test('a part that ends inside a fence containing the other mark does not swallow the next part', () => {
  const rationale = plainRationale(['```\n~~~', 'The next part.'])
  expect(rationale.endsWith('\n\nThe next part.')).toBe(true)
  expect(endsInsideFence(rationale)).toBe(false)
})
