import { describe, expect, test } from 'vitest'
import { openEchartsPainter } from '../src/analyst/chart/index.ts'
import { CHART_KINDS, type ChartData } from '../src/analyst/domain/chart/chart.ts'
import { readChart } from '../src/analyst/domain/chart/read-chart.ts'

const painter = openEchartsPainter()
const SIZE = { width: 640, height: 360, theme: 'light' } as const

const SHOP: ChartData = {
  columns: ['month', 'region', 'revenue'].map((name) => ({ name, type: '' })),
  rows: ['2026-01-01', '2026-02-01', '2026-03-01'].flatMap((month, i) =>
    ['North', 'South'].map((region, j) => [month, region, 1_000 * (i + 1) + 500 * j]),
  ),
}

describe('a picture', () => {
  test.each(CHART_KINDS)(
    'is deterministic for kind %s, in both themes, and has no external references',
    async (kind) => {
      const one = { columns: [{ name: 'n', type: '' }], rows: [[5]] }
      const three = { columns: SHOP.columns, rows: SHOP.rows.filter(([, region]) => region === 'North') }
      const numbers = {
        columns: ['a', 'b'].map((name) => ({ name, type: '' })),
        rows: [
          [1, 2],
          [3, 4],
        ],
      }
      const data = kind === 'kpi' ? one : kind === 'scatter' ? numbers : kind === 'pie' ? three : SHOP
      const wish = kind === 'kpi' ? {} : kind === 'scatter' ? { x: 'a', y: 'b' } : { x: 'month', y: 'revenue' }
      const read = readChart({ query: 'q_0', kind, title: 'Title', ...wish }, data)
      if ('faults' in read) throw new Error(read.faults.join(' '))
      const light = await painter.svg(read.chart, data, SIZE)
      expect(await painter.svg(read.chart, data, SIZE)).toBe(light)
      expect(await painter.svg(read.chart, data, { ...SIZE, theme: 'dark' })).not.toBe(light)
      expect(light.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:|href|@import|<image|<script|<foreignObject/,
      )
    },
  )

  test('contains no markup from a title, a cell or a column', async () => {
    const evil = `"'><script>alert(1)</script><image href="http://x/"/>&amp;]]>`
    const data = {
      columns: [evil, 'n'].map((name) => ({ name, type: '' })),
      rows: [
        [evil, 1],
        ['</text></svg>', 2],
      ],
    }
    for (const kind of ['bar', 'pie', 'line']) {
      const read = readChart({ query: 'q_0', kind, title: evil, x: evil, y: 'n' }, data)
      if ('faults' in read) throw new Error(read.faults.join(' '))
      const svg = await painter.svg(read.chart, data, SIZE)
      expect(svg).not.toMatch(/<(?!\/?(?:svg|rect|path|text|tspan|g|title|circle|polygon|polyline|line)[\s>])/)
      expect(svg.match(/<svg/g)).toHaveLength(1)
    }
  })

  test('does not change the prototype if names are from Object.prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const data = {
      columns: ['__proto__', 'constructor'].map((name) => ({ name, type: '' })),
      rows: names.map((name, i) => [name, i + 1]),
    }
    const before = [Object.prototype, Object].map((one) => Object.getOwnPropertyNames(one))
    for (const kind of ['bar', 'pie', 'line', 'radar']) {
      const read = readChart({ query: 'q_0', kind, title: '__proto__', x: '__proto__', y: 'constructor' }, data)
      if ('faults' in read) throw new Error(read.faults.join(' '))
      expect(await painter.svg(read.chart, data, SIZE)).toContain('hasOwnProperty')
    }
    expect([Object.prototype, Object].map((one) => Object.getOwnPropertyNames(one))).toEqual(before)
  })

  test('uses the fonts that come with Ken, at twice the resolution of the SVG', async () => {
    const read = readChart({ query: 'q_0', kind: 'line', title: 'Täglich <&> 日本', x: 'month', y: 'revenue' }, SHOP)
    if ('faults' in read) throw new Error(read.faults.join(' '))
    const png = await painter.png(read.chart, SHOP, SIZE)
    expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
    expect(Buffer.from(png).readUInt32BE(16)).toBe(2 * SIZE.width)
    expect(Buffer.compare(png, await painter.png(read.chart, SHOP, SIZE))).toBe(0)
  })

  test('is refused if the chart does not match its result', async () => {
    await expect(
      painter.svg({ query: 'q_0', kind: 'bar', title: '', x: 'gone', series: [{ column: 'revenue' }] }, SHOP, SIZE),
    ).rejects.toThrow('no column "gone"')
  })
})
