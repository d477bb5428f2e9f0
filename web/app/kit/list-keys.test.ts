import { expect, test } from 'vitest'
import { listDeed } from './list-keys.ts'

const at = (place: number, count = 100) => ({ at: place, count, page: 10 })
const to = (place: number) => ({ kind: 'move', to: place })

test('arrows, j and k move one row and stop at the ends', () => {
  expect(listDeed('j', at(3))).toEqual(to(4))
  expect(listDeed('down', at(99))).toEqual(to(99))
  expect(listDeed('k', at(3))).toEqual(to(2))
  expect(listDeed('up', at(0))).toEqual(to(0))
})

test('down starts at the first row and up at the last if no row is active', () => {
  expect(listDeed('j', at(-1))).toEqual(to(0))
  expect(listDeed('up', at(-1))).toEqual(to(99))
})

test('a page key keeps one row of the previous page in sight', () => {
  expect(listDeed('pagedown', at(0))).toEqual(to(9))
  expect(listDeed('pageup', at(5))).toEqual(to(0))
  expect(listDeed('pagedown', { at: 0, count: 3, page: 1 })).toEqual(to(1))
})

test('Home and End go to the ends of a list of any length', () => {
  expect(listDeed('end', at(0, 100_000))).toEqual(to(99_999))
  expect(listDeed('home', at(99_999, 100_000))).toEqual(to(0))
})

test('nothing is opened, previewed or selected without an active row, or in an empty list', () => {
  for (const key of ['enter', 'space', 'x']) {
    expect(listDeed(key, at(-1))).toBeUndefined()
    expect(listDeed(key, at(2))).toBeDefined()
    expect(listDeed(key, { at: 0, count: 0, page: 10 })).toBeUndefined()
  }
  expect(listDeed('j', { at: -1, count: 0, page: 10 })).toBeUndefined()
  expect(listDeed('q', at(2))).toBeUndefined()
})
