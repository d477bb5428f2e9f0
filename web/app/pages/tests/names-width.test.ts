import { expect, test } from 'vitest'
import { namesWidth } from './names-width.ts'

test('names take the room that few runs leave, and no more than they need', () => {
  expect(namesWidth(390, 1)).toBe(338)
  expect(namesWidth(390, 40)).toBe(168)
  expect(namesWidth(1200, 1)).toBe(560)
  expect(namesWidth(1200, 40)).toBe(340)
})
