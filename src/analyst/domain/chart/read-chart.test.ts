import { expect, test } from 'vitest'
import { PLAIN } from '../../../kernel/domain/view/view.ts'
import { chartFigures } from './chart-figures.ts'
import type { ChartData } from './chart.ts'
import { readChart, type ChartWish } from './read-chart.ts'
import { terminalChart } from './terminal-chart.ts'

const data = (columns: string, rows: ChartData['rows']): ChartData => ({
  columns: columns.split(' ').map((name) => ({ name, type: '' })),
  rows,
})
const read = (wish: Partial<ChartWish>, from: ChartData) => readChart({ query: 'q_0', kind: 'bar', ...wish }, from)
const faults = (wish: Partial<ChartWish>, from: ChartData): string => {
  const found = read(wish, from)
  return 'faults' in found ? found.faults.join(' ') : 'drawn'
}
const drawn = (wish: Partial<ChartWish>, from: ChartData) => {
  const found = read(wish, from)
  if ('faults' in found) throw new Error(found.faults.join(' '))
  return found
}

const SALES = data('Month revenue cost', [
  ['2026-01-01', 10, '7'],
  ['2026-02-01', 20, '1,800.50'],
  ['2026-04-01', null, '9'],
])
const LONG = data('month region revenue', [
  ['2026-01', 'North', 1],
  ['2026-01', 'South', 2],
  ['2026-02', 'North', 3],
])

test('accepts names in a different case, columns as one text, and objects in the style of other tools', () => {
  const series = [{ column: 'revenue' }, { column: 'cost' }]
  for (const y of ['revenue, cost', 'REVENUE,cost', ['revenue', 'Cost'], [{ data_key: 'revenue' }, { column: 'cost' }]])
    expect(drawn({ x: 'month', y }, SALES).chart).toMatchObject({ x: 'Month', series })
  expect(drawn({ x: 'month', y: [{ dataKey: 'revenue', label: 'Income' }] }, SALES).plot.series[0]!.label).toBe(
    'Income',
  )
})

test.each([
  ['Bar Chart', 'bar'],
  ['column', 'bar'],
  ['lines', 'line'],
  ['stackedBar', 'stacked_bar'],
  ['donut', 'pie'],
  ['kpi_card', 'kpi'],
  ['Scatter plot', 'scatter'],
])('reads %s as %s', (given, kind) => {
  const from = kind === 'kpi' ? data('a b', [[1, 2]]) : data('x a b', [[1, 2, 3]])
  const y = kind === 'pie' || kind === 'scatter' ? 'a' : ['a', 'b']
  expect(drawn({ kind: given, x: kind === 'kpi' ? undefined : 'x', y }, from).chart.kind).toBe(kind)
})

test('fills in a missing column if only one fits', () => {
  expect(drawn({ kind: 'line' }, data('day n', [['2026-01-01', 1]])).chart).toMatchObject({
    x: 'day',
    series: [{ column: 'n' }],
  })
  expect(drawn({ kind: 'kpi' }, data('a b', [[1, '2']])).chart.series).toEqual([{ column: 'a' }, { column: 'b' }])
  expect(faults({ x: 'Month' }, SALES)).toBe('There is no y: name at least one column of numbers.')
})

test('splits a long result by the column that distinguishes its rows, whether or not it is named', () => {
  for (const wish of [{ series_by: 'Region' }, {}]) {
    const { chart, plot } = drawn({ kind: 'line', x: 'month', y: 'revenue', ...wish }, LONG)
    expect(chart.seriesBy).toBe('region')
    expect(plot.labels).toEqual(['Jan 2026', 'Feb 2026'])
    expect(plot.series).toEqual([
      { label: 'North', values: [1, 3], at: [] },
      { label: 'South', values: [2, null], at: [] },
    ])
  }
  expect(drawn({ kind: 'stacked_bar', x: 'month', y: 'revenue' }, LONG).plot.series[1]!.values).toEqual([2, 0])
})

test('shows a month without a row as a gap, and reads numeric texts as numbers', () => {
  const { plot } = drawn({ kind: 'line', x: 'month', y: ['revenue', 'cost'] }, SALES)
  expect(plot.labels).toEqual(['Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026'])
  expect(plot.series.map(({ values }) => values)).toEqual([
    [10, 20, null, null],
    [7, 1800.5, null, 9],
  ])
})

const moments = (...cells: readonly string[]) =>
  data(
    't n',
    cells.map((cell, i) => [cell, i + 1]),
  )

test.each([
  [
    'months of which most are missing',
    ['2025-01', '2025-02', '2025-09'],
    ['Jan 2025', 'Feb 2025', 'Mar 2025', 'Apr 2025', 'May 2025', 'Jun 2025', 'Jul 2025', 'Aug 2025', 'Sep 2025'],
    [1, 2, null, null, null, null, null, null, 3],
  ],
  [
    'every second month',
    ['2025-01', '2025-03', '2025-05', '2025-09', '2025-11'],
    ['Jan 2025', 'Mar 2025', 'May 2025', 'Jul 2025', 'Sep 2025', 'Nov 2025'],
    [1, 2, 3, null, 4, 5],
  ],
  [
    'hours',
    ['2026-01-05 22:00:00', '2026-01-05 23:00:00', '2026-01-06 00:00:00', '2026-01-06 02:00:00'],
    ['5 Jan 22:00', '5 Jan 23:00', '6 Jan 00:00', '6 Jan 01:00', '6 Jan 02:00'],
    [1, 2, 3, null, 4],
  ],
  [
    'working days, where a weekend is not missing',
    ['2026-01-08', '2026-01-09', '2026-01-12', '2026-01-14', '2026-01-15'],
    ['8 Jan 2026', '9 Jan 2026', '12 Jan 2026', '13 Jan 2026', '14 Jan 2026', '15 Jan 2026'],
    [1, 2, 3, null, 4, 5],
  ],
])('a line breaks at missing values of %s', (_what, cells, labels, values) => {
  const { plot } = drawn({ kind: 'line', x: 't', y: 'n' }, moments(...cells))
  expect(plot.labels).toEqual(labels)
  expect(plot.series[0]!.values).toEqual(values)
})

test('a stacked area breaks at a missing month and counts a missing series as 0', () => {
  const from = data('month region n', [...LONG.rows, ['2026-04', 'South', 5]])
  expect(drawn({ kind: 'stacked_area', x: 'month', y: 'n' }, from).plot.series).toMatchObject([
    { label: 'North', values: [1, 3, null, 0] },
    { label: 'South', values: [2, 0, null, 5] },
  ])
})

test.each(['line', 'stacked_area'])('points of a %s over irregular moments are proportional to time', (kind) => {
  const from = data('t a b', [
    ['2026-03-01 08:13:00', 1, 4],
    [null, 0, 0],
    ['2026-03-01 08:14:00', 2, 5],
    ['2026-03-09 17:59:00', 3, 6],
  ])
  const { plot } = drawn({ kind, x: 't', y: ['a', 'b'] }, from)
  const at = ['2026-03-01T08:13Z', '2026-03-01T08:14Z', '2026-03-09T17:59Z'].map((text) => Date.parse(text))
  expect(plot).toMatchObject({ axis: 'numbers', isTime: true, notes: ['1 row without "t" left out.'] })
  expect(plot.series.map((one) => [one.values, one.at])).toEqual([
    [[1, 2, 3], at],
    [[4, 5, 6], at],
  ])
  expect(chartFigures(plot)[0]!.last).toEqual({ value: 3, at: '9 Mar 17:59' })
})

test('long names that differ only at their end or in their middle stay different', () => {
  const long = 'Department of International Cooperation and Development, Office for Regional Affairs'
  const names = [`${long} 1`, `${long} 2`, `${long} A ${long}`, `${long} B ${long}`]
  const from = data(
    'name n',
    names.map((name, i) => [name, i + 1]),
  )
  const { plot } = drawn({ x: 'name', y: 'n' }, from)
  expect(new Set(plot.labels).size).toBe(names.length)
  const bars = terminalChart(plot, PLAIN).slice(1)
  expect(new Set(bars.map((line) => line.split(/[█▏▎▍▌▋▊▉]/)[0]!.trimEnd())).size).toBe(names.length)
})

test('sorts moments and adds a note about rows without one', () => {
  const { plot } = drawn(
    { x: 'd', y: 'n' },
    data('d n', [
      ['2026-02-03', 2],
      [null, 5],
      ['2026-02-01', 1],
    ]),
  )
  expect(plot.labels).toEqual(['1 Feb 2026', '2 Feb 2026', '3 Feb 2026'])
  expect(plot.notes).toEqual(['1 row without "d" left out.'])
})

test.each([
  ['a', [['2024'], ['2026']], ['2024', '2025', '2026']],
  ['a', [[2024], [2025]], ['2024', '2025']],
  ['a', [['2026-Q1'], ['2026-Q2']], ['Q1 2026', 'Q2 2026']],
  ['a', [['2026-01-05 10:30:00'], ['2026-01-05 11:00:00+00']], ['5 Jan 10:30', '5 Jan 11:00']],
  ['a', [['2026-W02'], ['2026-W03']], ['5 Jan 2026', '12 Jan 2026']],
  ['a', [['2026-13-01'], ['b']], ['2026-13-01', 'b']],
  ['a', [[true], [null]], ['true', '(none)']],
] as const)('column %s with %j is placed at %j', (column, cells, labels) =>
  expect(
    drawn(
      { x: column, y: 'n' },
      data(
        `${column} n`,
        cells.map(([cell]) => [cell, 1]),
      ),
    ).plot.labels,
  ).toEqual(labels),
)

const many = (count: number) =>
  data(
    'name n',
    Array.from({ length: count }, (_, i) => [`name ${i}`, i]),
  )

test.each([
  [
    'a column that is not there',
    { x: 'mont', y: 'revenue' },
    SALES,
    'The result has no column "mont". Did you mean "Month"?',
  ],
  [
    'a column far from all',
    { x: 'zzzzzz', y: 'revenue' },
    SALES,
    'The result has no column "zzzzzz". Columns: Month, revenue, cost.',
  ],
  ['no rows', { x: 'a', y: 'b' }, data('a b', []), 'The query gave no rows, so there is nothing to draw.'],
  ['a kind that is none', { kind: 'sankey' }, SALES, 'There is no chart "sankey". Kinds: bar, stacked_bar, line'],
  [
    'texts on y',
    { x: 'revenue', y: 'Month' },
    SALES,
    '"Month" is not a column of numbers (2026-01-01): y needs numbers',
  ],
  ['only nulls on y', { x: 'a', y: 'b' }, data('a b', [['x', null]]), '"b" holds only NULL'],
  ['two series in a pie', { kind: 'pie', x: 'Month', y: ['revenue', 'cost'] }, SALES, 'A pie shows one series'],
  [
    'negative slices',
    { kind: 'pie', x: 'a', y: 'b' },
    data('a b', [
      ['x', -1],
      ['y', 2],
    ]),
    'A pie has no negative slices (-1): use bar.',
  ],
  [
    'one series stacked',
    { kind: 'stacked_bar', x: 'Month', y: 'revenue' },
    SALES,
    'A stacked_bar needs two or more columns in y, or series_by; for one series use bar.',
  ],
  [
    'a kpi of several rows',
    { kind: 'kpi', y: 'revenue' },
    SALES,
    'A kpi shows one row, and the result has 3: aggregate',
  ],
  [
    'words under a scatter',
    { kind: 'scatter', x: 'a', y: 'b' },
    data('a b', [['x', 1]]),
    'A scatter needs numbers or dates on x',
  ],
  [
    'a radar of two',
    { kind: 'radar', x: 'a', y: 'b' },
    data('a b', [
      ['x', 1],
      ['y', 2],
    ]),
    'A radar needs at least three values of x, and "a" has 2',
  ],
  [
    'too many bars',
    { x: 'name', y: 'n' },
    many(240),
    '240 values of "name" are too many for a bar (at most 60): take the top N',
  ],
  [
    'too many slices',
    { kind: 'pie', x: 'name', y: 'n' },
    many(13),
    '13 values of "name" are too many for a pie (at most 12)',
  ],
  [
    'too many series',
    { x: 'n', y: 'v', series_by: 'name' },
    data(
      'name n v',
      Array.from({ length: 20 }, (_, i) => [`s${i}`, i, 1]),
    ),
    '"name" would make 20 series (at most 12)',
  ],
  [
    'the same x twice',
    { x: 'a', y: 'n' },
    data('a n', [
      ['x', 1],
      ['x', 2],
    ]),
    'Several rows have the same "a" (x): aggregate with GROUP BY, or name the column that tells them apart in series_by.',
  ],
  [
    'a series for each of two columns',
    { x: 'month', y: ['revenue', 'revenue'], series_by: 'region' },
    LONG,
    'series_by takes one column in y',
  ],
] as const)('%s is one line that says what to change', (_case, wish, from, line) =>
  expect(faults(wish, from)).toContain(line),
)

test('removes hidden characters from texts of a result and shortens them to the length of a label', () => {
  const evil = `\u001b[31m<b>\u202e${'x'.repeat(100_000)}`
  const { plot } = drawn(
    { x: 'a', y: 'n', title: evil },
    data('a n', [
      [evil, 1],
      ['\uFFFF\uD800', 2],
    ]),
  )
  for (const text of [plot.title, ...plot.labels]) {
    expect(text.length).toBeLessThan(120)
    expect(text).not.toMatch(/[\u0000-\u001f\u202a-\u202e\uFFFE\uFFFF]/)
  }
})
