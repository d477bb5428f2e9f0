import { describe, expect, test } from 'vitest'
import { openEchartsPainter } from '../src/analyst/chart/index.ts'
import { CHART_KINDS, type ChartData } from '../src/analyst/domain/chart/chart.ts'
import { readChart } from '../src/analyst/domain/chart/read-chart.ts'
import { textWidth } from '../src/analyst/domain/chart/text-width.ts'

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

  test.each([
    [
      'months in a narrow picture',
      'bar',
      340,
      230,
      12,
      (i: number) => [`2025-${String(i + 1).padStart(2, '0')}`, 123_456 + i],
    ],
    ['a long list in a low picture', 'bar', 640, 360, 30, (i: number) => [`Name ${i}`, 1_001 * i + 7]],
    ['long names', 'bar', 640, 360, 9, (i: number) => [`Department of International Cooperation ${i}`, 1_001 * i + 7]],
  ] as const)('draws no text over another: %s', async (_what, kind, width, height, count, row) => {
    const data = {
      columns: ['x', 'n'].map((name) => ({ name, type: '' })),
      rows: Array.from({ length: count }, (_, i) => row(i)),
    }
    const read = readChart({ query: 'q_0', kind, title: 'Title', x: 'x', y: 'n' }, data)
    if ('faults' in read) throw new Error(read.faults.join(' '))
    const boxes = textBoxes(await painter.svg(read.chart, data, { width, height, theme: 'light' }))
    expect(boxes.length).toBeGreaterThan(8)
    expect(new Set(boxes.map(({ text }) => text)).size).toBe(boxes.length)
    const overlapping = boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((b) => `${a.text} / ${b.text}`),
    )
    expect(overlapping).toEqual([])
  })

  test('is refused if the chart does not match its result', async () => {
    await expect(
      painter.svg({ query: 'q_0', kind: 'bar', title: '', x: 'gone', series: [{ column: 'revenue' }] }, SHOP, SIZE),
    ).rejects.toThrow('no column "gone"')
  })
})

/** The texts of a picture and the rectangles they cover, a pixel less at the top and the bottom. */
function textBoxes(svg: string) {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const of = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
    const [moved = '0', down = '0'] = of('transform').match(/-?[\d.]+/g) ?? []
    const size = Number(/font-size:(\d+)px/.exec(attributes)?.[1] ?? 12)
    const width = textWidth(text, size)
    const anchor = of('text-anchor')
    const x = Number(moved) + Number(of(' x') || 0)
    const left = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x
    const middle = Number(down) + Number(of(' y') || 0)
    return { text, left, right: left + width, top: middle - size / 2 + 1, bottom: middle + size / 2 - 1 }
  })
}
