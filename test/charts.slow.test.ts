import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEchartsPainter } from '../src/analyst/chart/index.ts'
import { CHART_KINDS, type ChartCell, type ChartData } from '../src/analyst/domain/chart/chart.ts'
import { readChart } from '../src/analyst/domain/chart/read-chart.ts'
import { terminalChart } from '../src/analyst/domain/chart/terminal-chart.ts'
import { unmarked } from '../src/kernel/domain/view/styled.ts'
import { screenView } from '../src/kernel/domain/view/view.ts'
import { displayWidth } from '../src/kernel/domain/view/width.ts'

const painter = openEchartsPainter()
const SIZE = { width: 640, height: 360, theme: 'light' } as const
const view = (columns: number) => screenView({ columns, now: new Date(0), hasColour: true, verbose: false })

const cell = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -1_000, max: 3_000 }),
  fc.double({ noNaN: true }),
  fc.constantFrom('2026-01-01', '2026-02', '2025', 'NaN', '1,234', '__proto__', 'constructor', '', '{b}', 'a\u001bb'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const figure = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -100_000, max: 1_000_000 }) },
  { weight: 4, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(null, '1,234.50', 'NaN', '') },
)
const number = fc.oneof({ weight: 20, arbitrary: figure }, { weight: 1, arbitrary: cell })
const x = fc.oneof(
  { weight: 3, arbitrary: fc.uniqueArray(cell, { minLength: 1, maxLength: 14, selector: String }) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 80 }) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 60 })
      .map((days) => days.map((day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10))),
  },
)
const name = fc.oneof(
  fc.constantFrom('x', 'month', '__proto__', 'toString'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const result = fc
  .record({
    x,
    names: fc.uniqueArray(name, { minLength: 3, maxLength: 3 }),
    rows: fc.infiniteStream(fc.tuple(number, number)),
  })
  .map(({ x: places, names, rows }) => ({
    columns: names.map((one) => ({ name: one, type: '' })),
    rows: (places as ChartCell[]).map((place) => [place, ...rows.next().value!]),
  }))

test('every valid chart is drawn, as a picture and in blocks', async () => {
  let drawn = 0
  await fc.assert(
    fc.asyncProperty(
      result,
      fc.constantFrom(...CHART_KINDS),
      fc.string({ unit: 'binary', maxLength: 30 }),
      async (given, kind, title) => {
        const [first, second, third] = given.columns.map((column) => column.name)
        const data: ChartData = kind === 'kpi' ? { ...given, rows: given.rows.slice(0, 1) } : given
        const y = kind.startsWith('stacked') ? [second, third] : [second]
        const read = readChart({ query: 'q_0', kind, title, x: first, y }, data)
        if ('faults' in read) return
        drawn++
        const svg = await painter.svg(read.chart, data, SIZE)
        expect(svg).not.toMatch(/="[^"]*(?:NaN|Infinity|undefined)|\[object|\bid="|url\(/)
        expect(svg).not.toMatch(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u)
        if (drawn % 10 === 0) expect((await painter.png(read.chart, data, SIZE)).length).toBeGreaterThan(500)
        const lines = terminalChart(read.plot, view(80))
        for (const line of lines) expect(displayWidth(unmarked(line))).toBeLessThanOrEqual(80)
      },
    ),
    { numRuns: 300, seed: 7 },
  )
  expect(drawn).toBeGreaterThan(100)
}, 60_000)
