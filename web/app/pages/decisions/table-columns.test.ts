import { expect, test } from 'vitest'
import { columnWidths, tableColumns } from './table-columns.ts'

test('a fact that no decision has gets no column', () => {
  expect(tableColumns({ type: { untyped: 182 }, with_files: 0 })).toEqual(['number', 'title', 'confidence', 'date'])
  expect(tableColumns({ type: { untyped: 3, pattern: 1 }, with_files: 0 })).toContain('type')
  expect(tableColumns({ type: { untyped: 3 }, with_files: 1 })).toContain('files')
  expect(tableColumns(undefined)).toHaveLength(6)
})

test('each column has a width', () => {
  expect(columnWidths(['number', 'title', 'date'])).toBe('56px minmax(0, 1fr) 96px')
})
