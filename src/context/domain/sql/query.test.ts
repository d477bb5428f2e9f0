import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellFromDecimal, cellFromUnknown, cellFromUtf8, collectRows } from './query.ts'

describe('cells', () => {
  test.each([
    ['12.50', 12.5],
    ['-0.001', -0.001],
    ['000000000000000001', 1],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['1234567890123456.7', '1234567890123456.7'],
    ['NaN', 'NaN'],
    ['1e10', '1e10'],
  ])('the decimal %s becomes %s', (text, cell) => {
    expect(cellFromDecimal(text)).toBe(cell)
  })

  test('no decimal loses a digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 12 }),
        (digits, scale) => {
          const magnitude = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
          const text = `${digits < 0n ? '-' : ''}${scale === 0 ? magnitude : `${magnitude.slice(0, -scale)}.${magnitude.slice(-scale)}`}`
          const cell = cellFromDecimal(text)
          const back = typeof cell === 'number' ? cell.toFixed(scale) : String(cell)
          return back === text || Number(text) === 0
        },
      ),
    )
  })

  test('unwraps driver values: dates, bytes, { value }, nested values', () => {
    expect(cellFromUnknown(new Date('2026-01-02T03:04:05Z'))).toBe('2026-01-02T03:04:05.000Z')
    expect(cellFromUnknown(Uint8Array.of(0, 255))).toBe('\\x00ff')
    expect(cellFromUnknown({ value: '2026-01-02' })).toBe('2026-01-02')
    expect(cellFromUnknown([{ a: 1n }, null])).toBe('[{"a":"1"},null]')
    expect(cellFromUnknown(Number.NaN)).toBe('NaN')
    expect(cellFromUnknown(undefined)).toBeNull()
  })

  test('decodes no more UTF-8 than the longest cell needs', () => {
    expect(cellFromUtf8(Buffer.from('🌱🌱🌱🌱'), { cell: 4 })).toBe('🌱🌱🌱🌱')
    expect(cellFromUtf8(Buffer.from('x'.repeat(17)), { cell: 4 })).toBe('xxxx… [cut: 17 characters]')
  })
})

describe('collecting rows', () => {
  test('stops at the row or byte limit, whichever comes first, and reports truncation only then', () => {
    const few = collectRows({ rows: 2, bytes: 1_000, milliseconds: 1 })
    expect([few.add([1]), few.add([2])]).toEqual([true, true])
    expect(few.finish([]).truncated).toBe(false)
    expect(few.add([3])).toBe(false)
    expect(few.finish([])).toMatchObject({ rows: [[1], [2]], truncated: true })
    const short = collectRows({ rows: 100, bytes: 10, milliseconds: 1 })
    expect([short.add(['12345']), short.add(['67890']), short.add(['x'])]).toEqual([true, true, false])
  })
})
