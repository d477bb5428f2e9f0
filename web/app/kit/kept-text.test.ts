import { expect, test } from 'vitest'
import { keep, kept, keptFields, readKept } from './kept-text.ts'

test('a place that keeps nothing forgets, and never throws', () => {
  // There is no such store outside of a browser.
  expect(() => keep('ken.any', 'text')).not.toThrow()
  expect(kept('ken.any')).toBeUndefined()
})

test('what was kept is read as it was, and anything else is nothing', () => {
  expect(keptFields('{"text":"x","base":"y"}')).toEqual({ text: 'x', base: 'y' })
  expect(readKept('["a"]')).toEqual(['a'])
  for (const broken of [undefined, '', '{', '7', 'null', '"text"']) expect(keptFields(broken)).toEqual({})
  for (const broken of [undefined, '', '{']) expect(readKept(broken)).toBeUndefined()
})
