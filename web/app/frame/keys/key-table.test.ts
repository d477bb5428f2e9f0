import { expect, test } from 'vitest'
import { keyPress } from './key-press.ts'
import { KeyTable, type KeyBinding } from './key-table.ts'

const binding = (keys: string, more: Partial<KeyBinding> = {}): KeyBinding => ({
  keys,
  does: keys,
  group: 'Test',
  run: () => {},
  ...more,
})
const calm = { isTyping: false, isOnControl: false, now: 0 }

test('two keys in sequence are one binding, if the second is pressed in time', () => {
  const table = new KeyTable()
  const decisions = binding('g d')
  table.add([decisions, binding('d')])
  expect(table.press('g', calm)).toBe('begun')
  expect(table.press('d', { ...calm, now: 1_000 })).toBe(decisions)
  expect(table.press('g', { ...calm, now: 2_000 })).toBe('begun')
  expect(table.press('d', { ...calm, now: 9_000 })).toMatchObject({ keys: 'd' })
})

test('a key that does not continue a sequence acts on its own', () => {
  const table = new KeyTable()
  table.add([binding('g d'), binding('j')])
  table.press('g', calm)
  expect(table.press('j', calm)).toMatchObject({ keys: 'j' })
  expect(table.press('d', calm)).toBeUndefined()
})

test('while typing, only bindings with mod or whileTyping act', () => {
  const table = new KeyTable()
  table.add([binding('j'), binding('mod+k'), binding('escape', { whileTyping: true }), binding('g d')])
  const typing = { ...calm, isTyping: true }
  expect(table.press('j', typing)).toBeUndefined()
  expect(table.press('g', typing)).toBeUndefined()
  expect(table.press('mod+k', typing)).toMatchObject({ keys: 'mod+k' })
  expect(table.press('escape', typing)).toMatchObject({ keys: 'escape' })
})

test('Enter on a button presses the button', () => {
  const table = new KeyTable()
  table.add([binding('enter'), binding('x')])
  expect(table.press('enter', { ...calm, isOnControl: true })).toBeUndefined()
  expect(table.press('x', { ...calm, isOnControl: true })).toMatchObject({ keys: 'x' })
})

test('a page may override a frame key, which is restored when the page closes', () => {
  const table = new KeyTable()
  table.add([binding('/', { does: 'frame' })])
  const remove = table.add([binding('/', { does: 'page' }), binding('down', { unlisted: true })])
  expect(table.press('/', calm)).toMatchObject({ does: 'page' })
  expect(table.listed.get().map(({ does }) => does)).toEqual(['page'])
  remove()
  expect(table.press('/', calm)).toMatchObject({ does: 'frame' })
  expect(table.listed.get().map(({ does }) => does)).toEqual(['frame'])
})

test('frame keys that change while a page is shown do not override the page’s keys', () => {
  const table = new KeyTable()
  table.add([binding('/', { does: 'page' })])
  table.add([binding('/', { does: 'frame' }), binding(']')], { beneath: true })
  expect(table.press('/', calm)).toMatchObject({ does: 'page' })
  expect(table.press(']', calm)).toMatchObject({ keys: ']' })
})

const pressed = (key: string, more: Partial<Parameters<typeof keyPress>[0]> = {}) =>
  keyPress({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

test('a key has the same name on any keyboard layout', () => {
  expect(pressed('k', { metaKey: true })).toBe('mod+k')
  expect(pressed('K', { ctrlKey: true, shiftKey: true })).toBe('mod+shift+k')
  expect(pressed('?', { shiftKey: true })).toBe('?')
  expect(pressed(']', { ctrlKey: true, altKey: true })).toBe(']')
  expect(pressed('X', { shiftKey: true })).toBe('shift+x')
  expect(pressed('о', { code: 'KeyJ' })).toBe('j')
  expect(pressed('Escape')).toBe('escape')
  expect(pressed('/', { ctrlKey: true })).toBe('mod+/')
  expect(pressed(' ')).toBe('space')
  expect(pressed('Shift', { shiftKey: true })).toBeUndefined()
})
