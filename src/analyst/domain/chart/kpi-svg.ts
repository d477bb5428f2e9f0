import { FONT, SIZES, THEMES, type ChartSize } from './chart-theme.ts'
import { figureText } from './figure-text.ts'
import type { Plot } from './plot.ts'
import { fitText, textWidth } from './text-width.ts'

const MARGIN = 24
const LEAST_CELL = 160

/** Draws figures side by side, each over its name. */
export function kpiSvg({ title, series }: Plot, { width, height, theme: name }: ChartSize): string {
  const theme = THEMES[name]
  const across = Math.max(1, Math.min(series.length, Math.floor((width - MARGIN) / LEAST_CELL)))
  const down = Math.ceil(series.length / across)
  const top = title === '' ? MARGIN : MARGIN + SIZES.title + 12
  const [cellWidth, cellHeight] = [(width - 2 * MARGIN) / across, (height - top - MARGIN) / down]
  const figures = series.flatMap(({ label, values }, i) => {
    const x = MARGIN + (i % across) * cellWidth
    const middle = top + (Math.floor(i / across) + 0.5) * cellHeight
    const shown = figureText(values[0] ?? 0)
    const room = cellWidth - 12
    const size = Math.max(SIZES.text, Math.min(SIZES.figure, cellHeight * 0.5, (room / textWidth(shown, 1)) | 0))
    return [
      text(shown, { x, y: middle + size * 0.2, size, fill: i === 0 ? theme.colours[0]! : theme.ink }),
      text(fitText(label, SIZES.text, room), { x, y: middle + size * 0.2 + 20, size: SIZES.text, fill: theme.soft }),
    ]
  })
  return [
    `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${theme.paper}"/>`,
    ...(title === ''
      ? []
      : [
          text(fitText(title, SIZES.title, width - 2 * MARGIN), {
            x: MARGIN,
            y: MARGIN + SIZES.text,
            size: SIZES.title,
            fill: theme.ink,
          }),
        ]),
    ...figures,
    '</svg>',
  ].join('\n')
}

const text = (content: string, { x, y, size, fill }: { x: number; y: number; size: number; fill: string }): string =>
  `<text x="${round(x)}" y="${round(y)}" font-family="${FONT}" font-size="${round(size)}" fill="${fill}">${escapeXml(content)}</text>`

const round = (value: number): number => Math.round(value * 10) / 10

export const escapeXml = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
