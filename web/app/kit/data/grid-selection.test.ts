import { describe, expect, it } from 'vitest'
import { areaOf, HEADER, isInside, moved, tsvOf, type GridSelection } from './grid-selection.ts'

const extent = { rows: 100, columns: 5, page: 10 }
const at = (row: number, column: number): GridSelection => ({ from: { row, column }, at: { row, column } })
const press = (selection: GridSelection, key: string, held: { shift?: boolean; command?: boolean } = {}) =>
  moved(selection, { key, shift: held.shift ?? false, command: held.command ?? false }, extent)

describe('the keyboard in a grid', () => {
  it('moves cell by cell and stops at the edges; the header is above the first row', () => {
    expect(press(at(0, 0), 'ArrowRight')?.at).toEqual({ row: 0, column: 1 })
    expect(press(at(0, 0), 'ArrowLeft')?.at).toEqual({ row: 0, column: 0 })
    expect(press(at(0, 2), 'ArrowUp')?.at).toEqual({ row: HEADER, column: 2 })
    expect(press(at(HEADER, 2), 'ArrowUp')?.at).toEqual({ row: HEADER, column: 2 })
    expect(press(at(99, 4), 'ArrowDown')?.at).toEqual({ row: 99, column: 4 })
  })
  it('moves by pages, to the ends of a row and of all rows', () => {
    expect(press(at(5, 0), 'PageDown')?.at.row).toBe(15)
    expect(press(at(5, 0), 'PageUp')?.at.row).toBe(0)
    expect(press(at(5, 2), 'End')?.at).toEqual({ row: 5, column: 4 })
    expect(press(at(5, 2), 'End', { command: true })?.at).toEqual({ row: 99, column: 4 })
    expect(press(at(5, 2), 'Home', { command: true })?.at).toEqual({ row: 0, column: 0 })
  })
  it('extends the selection with shift, but never over the header', () => {
    const two = press(at(1, 1), 'ArrowDown', { shift: true })!
    expect(areaOf(two)).toEqual({ top: 1, bottom: 2, left: 1, right: 1 })
    expect(areaOf(press(at(0, 1), 'ArrowUp', { shift: true })!)).toMatchObject({ top: HEADER, bottom: HEADER })
  })
  it('selects everything, and ignores other keys', () => {
    expect(areaOf(press(at(3, 3), 'a', { command: true })!)).toEqual({ top: 0, bottom: 99, left: 0, right: 4 })
    expect(press(at(3, 3), 'a')).toBeUndefined()
    expect(press(at(3, 3), 'Tab')).toBeUndefined()
  })
  it('copies an area as tab-separated lines, whatever a cell contains', () => {
    const area = areaOf({ from: { row: 2, column: 1 }, at: { row: 1, column: 0 } })
    expect(isInside(area, 1, 1)).toBe(true)
    expect(isInside(area, 3, 1)).toBe(false)
    expect(tsvOf(area, (row, column) => (row === 2 && column === 1 ? 'a\tb\nc' : `${row}${column}`))).toBe(
      '10\t11\n20\ta b c',
    )
  })
})
