import { expect, test } from 'vitest'
import { AppError } from '../kernel/domain/errors.ts'
import type { Warehouse } from './ports/warehouse.ts'
import { openProfileBudget } from './profile-budget.ts'

const GIGABYTE = 1024 ** 3
const LIMITS = { rows: 10, bytes: 1_000, milliseconds: 1_000 }

/** Engine that bills 256 MB for every statement, and rejects statements that cost more than is left. */
function billing(): { readonly warehouse: Warehouse; readonly allowed: (number | undefined)[] } {
  const allowed: (number | undefined)[] = []
  const query: Warehouse['query'] = async (_sql, { scan }) => {
    allowed.push(scan)
    if (GIGABYTE / 4 > (scan ?? Infinity))
      throw new AppError('invalid_input', 'it would read too much', { details: { reason: 'cost' } })
    return { columns: [], rows: [], truncated: false, billedBytes: GIGABYTE / 4 }
  }
  return { warehouse: { query } as Warehouse, allowed }
}

test('the statements of one table share its byte budget, and the next table gets its own', async () => {
  const { warehouse, allowed } = billing()
  const budget = openProfileBudget({ seconds: 60, total_seconds: 600, max_bytes: GIGABYTE / 2 })
  const first = budget.forTable(warehouse)
  await first.warehouse.query('SELECT 1', LIMITS)
  await first.warehouse.query('SELECT 2', LIMITS)
  expect(first.limitedBy()).toBeUndefined()
  await expect(first.warehouse.query('SELECT 3', LIMITS)).rejects.toMatchObject({ code: 'invalid_input' })
  expect(first.limitedBy()).toBe('reading more than 512 MB needs a larger profiling.max_bytes')
  await budget.forTable(warehouse).warehouse.query('SELECT 1', LIMITS)
  expect(allowed).toEqual([GIGABYTE / 2, GIGABYTE / 4, 0, GIGABYTE / 2])
})

test('a table with no time left is not queried again', async () => {
  const { warehouse, allowed } = billing()
  const { warehouse: timed } = openProfileBudget({ seconds: 0, total_seconds: 0, max_bytes: GIGABYTE }).forTable(
    warehouse,
  )
  await expect(timed.query('SELECT 1', LIMITS)).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'timeout' },
  })
  expect(allowed).toEqual([])
})
