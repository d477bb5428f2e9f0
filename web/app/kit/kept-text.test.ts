import { afterEach, expect, test, vi } from 'vitest'
import { keep, keepTyped, kept, keptFields, keptTyped, readKept } from './kept-text.ts'

test('keeps nothing and does not throw without storage', () => {
  // There is no localStorage outside a browser.
  expect(() => keep('ken.any', 'text')).not.toThrow()
  expect(kept('ken.any')).toBeUndefined()
  expect(() => keepTyped('ken.any', 'text')).not.toThrow()
  expect(keptTyped('ken.any')).toBeUndefined()
})

afterEach(() => vi.unstubAllGlobals())

/** The storage of a tab: its own, and that of all tabs. */
function tab(shared: Map<string, string>, own = new Map<string, string>()) {
  const storage = (of: Map<string, string>) => ({
    getItem: (key: string) => of.get(key) ?? null,
    setItem: (key: string, value: string) => void of.set(key, value),
    removeItem: (key: string) => void of.delete(key),
  })
  return () => {
    vi.stubGlobal('localStorage', storage(shared))
    vi.stubGlobal('sessionStorage', storage(own))
  }
}

test('each tab keeps what was typed in it; a new tab gets the newest', () => {
  const shared = new Map<string, string>()
  const [one, other, later] = [tab(shared), tab(shared), tab(shared)]
  one()
  keepTyped('ken.draft.x', 'one')
  other()
  expect(keptTyped('ken.draft.x')).toBe('one')
  keepTyped('ken.draft.x', 'other')
  one()
  expect(keptTyped('ken.draft.x')).toBe('one')
  later()
  expect(keptTyped('ken.draft.x')).toBe('other')
})

test('a text that was sent is removed everywhere, but not what another tab has typed since', () => {
  const shared = new Map<string, string>()
  const [one, other, later] = [tab(shared), tab(shared), tab(shared)]
  one()
  keepTyped('ken.draft.x', 'one')
  keepTyped('ken.draft.x', undefined)
  expect(keptTyped('ken.draft.x')).toBeUndefined()
  keepTyped('ken.draft.x', 'one')
  other()
  keepTyped('ken.draft.x', 'other')
  one()
  keepTyped('ken.draft.x', undefined)
  later()
  expect(keptTyped('ken.draft.x')).toBe('other')
})

test('valid stored JSON is parsed; anything else is undefined or has no fields', () => {
  expect(keptFields('{"text":"x","base":"y"}')).toEqual({ text: 'x', base: 'y' })
  expect(readKept('["a"]')).toEqual(['a'])
  for (const broken of [undefined, '', '{', '7', 'null', '"text"']) expect(keptFields(broken)).toEqual({})
  for (const broken of [undefined, '', '{']) expect(readKept(broken)).toBeUndefined()
})
