import { expect, test } from 'vitest'
import { moveInStrip } from './strip-moves.ts'
import type { StripRow } from './strip-rows.ts'

const rows = ['suite', 'case', 'case', 'suite', 'case'].map((kind, at) => ({ kind, key: String(at) }) as StripRow)
const go = (key: string, row: number, column: number) =>
  moveInStrip(key, { row, column }, { rows, columns: 3, page: 2 })

test('skips headings, and stops at the edges', () => {
  expect(go('j', 2, 1)).toEqual({ row: 4, column: 1 })
  expect(go('down', 4, 1)).toEqual({ row: 4, column: 1 })
  expect(go('k', 4, 1)).toEqual({ row: 2, column: 1 })
  expect(go('up', 1, 0)).toEqual({ row: 1, column: 0 })
  expect(go('left', 1, 0)).toEqual({ row: 1, column: 0 })
  expect(go('l', 1, 2)).toEqual({ row: 1, column: 2 })
  expect(go('pagedown', 1, 2)).toEqual({ row: 4, column: 2 })
  expect(go('pageup', 4, 2)).toEqual({ row: 2, column: 2 })
  expect(go('mod+home', 4, 2)).toEqual({ row: 1, column: 0 })
  expect(go('end', 1, 0)).toEqual({ row: 1, column: 2 })
  expect(go('q', 1, 0)).toBeUndefined()
})

test('keeps the position if there are no cases', () => {
  expect(moveInStrip('mod+end', { row: 0, column: 0 }, { rows: [], columns: 0, page: 1 })).toEqual({
    row: 0,
    column: 0,
  })
})
