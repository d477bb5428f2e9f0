import { expect, test } from 'vitest'
import { keep, kept, keptFields, readKept } from './kept-text.ts'

test('keeps nothing and does not throw without storage', () => {
  // There is no localStorage outside a browser.
  expect(() => keep('ken.any', 'text')).not.toThrow()
  expect(kept('ken.any')).toBeUndefined()
})

test('valid stored JSON is parsed; anything else is undefined or has no fields', () => {
  expect(keptFields('{"text":"x","base":"y"}')).toEqual({ text: 'x', base: 'y' })
  expect(readKept('["a"]')).toEqual(['a'])
  for (const broken of [undefined, '', '{', '7', 'null', '"text"']) expect(keptFields(broken)).toEqual({})
  for (const broken of [undefined, '', '{']) expect(readKept(broken)).toBeUndefined()
})
