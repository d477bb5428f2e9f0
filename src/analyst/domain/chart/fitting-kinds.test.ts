import { describe, expect, it } from 'vitest'
import type { ChartData } from './chart.ts'
import { asKind, fittingKinds } from './fitting-kinds.ts'
import { readChart } from './read-chart.ts'

const column = (name: string) => ({ name, type: '' })
const chartOf = (data: ChartData, wish: { kind: string; x?: string; y?: string }) => {
  const read = readChart({ query: 'q_1', ...wish }, data)
  if ('faults' in read) throw new Error(read.faults.join(' '))
  return read.chart
}

describe('fittingKinds', () => {
  it('returns the kinds in which the result can be drawn', () => {
    const data = {
      columns: [column('city'), column('n')],
      rows: [
        ['Oslo', 3],
        ['Bern', -1],
      ],
    }
    expect(fittingKinds(chartOf(data, { kind: 'bar' }), data)).toEqual(['bar', 'line', 'area'])
  })
  it('returns only kpi for a single figure', () => {
    const data = { columns: [column('n')], rows: [[3]] }
    expect(fittingKinds(chartOf(data, { kind: 'kpi' }), data)).toEqual(['kpi'])
  })
  it('keeps the split into series by a column', () => {
    const data = {
      columns: [column('month'), column('region'), column('n')],
      rows: [
        ['2026-01', 'a', 1],
        ['2026-01', 'b', 2],
        ['2026-02', 'a', 3],
      ],
    }
    const chart = chartOf(data, { kind: 'line', x: 'month', y: 'n' })
    expect(fittingKinds(chart, data)).toContain('stacked_bar')
    const read = asKind(chart, data, 'stacked_bar')
    expect('plot' in read && read.plot.series.map(({ label }) => label)).toEqual(['a', 'b'])
  })
})
