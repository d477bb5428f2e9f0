import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { AppError } from '../../kernel/domain/errors.ts'
import { bundledFont } from '../../kernel/system/bundled-font.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'
import type { ChartSize } from '../domain/chart/chart-theme.ts'
import type { ChartData, ChartSpec } from '../domain/chart/chart.ts'
import { kpiSvg } from '../domain/chart/kpi-svg.ts'
import { plotChart } from '../domain/chart/plot-chart.ts'
import type { ChartPainter } from '../ports/chart-painter.ts'

/** Draws charts with ECharts, without a browser. The library is loaded by the first chart. */
export function openEchartsPainter(): ChartPainter {
  const svg = async (chart: ChartSpec, data: ChartData, size: ChartSize): Promise<string> => {
    const plotted = plotChart(chart, data)
    if ('faults' in plotted) throw new AppError('invalid_input', plotted.faults.join(' '))
    if (plotted.plot.kind === 'kpi') return kpiSvg(plotted.plot, size)
    return (await import('./paint-svg.ts')).paintSvg(plotted.plot, size)
  }
  return { svg, png: async (chart, data, size) => paintPng(await svg(chart, data, size)) }
}

// Twice the resolution of the SVG, for high-density screens.
const ZOOM = 2

type Resvg = typeof import('@resvg/resvg-wasm')

let opening: Promise<{ readonly resvg: Resvg; readonly font: Uint8Array }> | undefined

/** Renders an SVG with only the bundled font, independent of system fonts. */
async function paintPng(svg: string): Promise<Uint8Array> {
  opening ??= open()
  const { resvg, font } = await opening.catch((error: unknown) => {
    opening = undefined
    throw error
  })
  const drawing = new resvg.Resvg(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { fontBuffers: [font], defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
  })
  try {
    const image = drawing.render()
    try {
      return image.asPng()
    } finally {
      image.free()
    }
  } finally {
    drawing.free()
  }
}

async function open() {
  const resvg = await loadOptional<Resvg>('@resvg/resvg-wasm')
  const [wasm, font] = await Promise.all([
    readFile(pathOf('@resvg/resvg-wasm/index_bg.wasm')),
    bundledFont('DejaVuSansCondensed'),
  ])
  await resvg.initWasm(wasm)
  return { resvg, font }
}

const pathOf = (name: string): string => createRequire(import.meta.url).resolve(name)
