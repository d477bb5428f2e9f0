import { z } from 'zod'
import { chooseDatabase, plainCell, runStatement } from '../../context/operations/run-statement.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { inBytes } from '../../kernel/domain/text.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { CHART_KINDS, type ChartData, type ChartKind } from '../domain/chart/chart.ts'
import { chartHeight, type Plot } from '../domain/chart/plot.ts'
import { readChart, type ChartWish } from '../domain/chart/read-chart.ts'
import { terminalChart } from '../domain/chart/terminal-chart.ts'
import { chartedResult, chartFields, chartMeant, kindField, type Charted } from './chart-fields.ts'

const WIDTH = 720

export const drawChart = defineOperation({
  name: 'draw_chart',
  title: 'Draw a chart',
  summary: 'Draw a chart of a query in the terminal, or as SVG or PNG.',
  details:
    'The query is the id of a result that is kept (an hour), or one reading statement. Without a kind a date along x makes a line and everything else bars. ' +
    'Columns are filled in where only one can be meant. Nothing is loaded from elsewhere, neither for the picture nor in it.',
  effect: 'write',
  words: 'database',
  needs: ['analyst', 'context', 'machine'],
  asGiven: true,
  withoutRoom: true,
  hiddenFrom: AT_A_TERMINAL,
  positional: ['query'],
  input: {
    query: z.string().min(1).max(100_000).describe('Result id, e.g. q_0123456789ab, or a statement.'),
    database: z.string().max(100).optional().describe('Its name in ken.yaml; required if there are several.'),
    kind: kindField.optional(),
    ...chartFields,
    output: z.string().min(1).max(4096).optional().describe('Write an image to this file (.svg or .png).'),
    force: z.boolean().default(false).describe('Replace that file if it exists.'),
    dark: z.boolean().default(false).describe('Image for dark pages.'),
    width: z.number().int().min(240).max(4_000).default(WIDTH).describe('Image width.'),
    height: z.number().int().min(120).max(4_000).optional().describe('Image height; default: by its content.'),
    ascii: z.boolean().default(false).describe('Draw with plain characters in the terminal.'),
  },
  output: {
    kind: z.enum(CHART_KINDS),
    title: z.string(),
    x: z.string(),
    y: z.string(),
    axis: z.enum(['places', 'numbers']),
    is_time: z.boolean(),
    labels: z.array(z.string()),
    series: z.array(z.object({ label: z.string(), values: z.array(z.number().nullable()), at: z.array(z.number()) })),
    notes: z.array(z.string()),
    written: z.object({ path: z.string(), bytes: z.number() }).optional(),
  },
  examples: [
    {
      title: 'Orders by kind',
      input: { query: 'SELECT note, count(*) AS orders FROM orders GROUP BY note ORDER BY note', kind: 'bar' },
    },
    { title: 'A result that is kept', input: { query: 'q_a03035599fd4', x: 'id', y: ['amount'], kind: 'line' } },
  ],
  async run(ctx, { query, ...input }) {
    const wanted =
      input.output === undefined ? undefined : { path: ctx.pathNamed(input.output), as: endingOf(input.output) }
    // Fails before the statement runs if the picture cannot be written.
    if (wanted !== undefined && !input.force && (await ctx.files.writtenOn(wanted.path)) !== undefined)
      throw new AppError('conflict', `${wanted.path} already exists.`, { hint: 'Replace it with --force.' })
    const found = IS_ID.test(query.trim())
      ? await chartedResult(ctx, query.trim())
      : await asked(ctx, query, input.database)
    const wish = { ...input, query }
    const { chart, plot } = chartMeant({ ...wish, kind: input.kind ?? fitting(wish, found.data) }, found)
    const { xName: x, yName: y, isTime: is_time, ...rest } = plot
    const answer = {
      ...rest,
      x,
      y,
      is_time,
      labels: [...plot.labels],
      notes: [...plot.notes],
      series: plot.series.map(({ label, values, at }) => ({ label, values: [...values], at: [...at] })),
    }
    if (wanted === undefined) return answer
    const painter = await ctx.charts()
    const size = {
      width: input.width,
      height: input.height ?? chartHeight(plot),
      theme: input.dark ? ('dark' as const) : ('light' as const),
    }
    const picture = await painter[wanted.as](chart, found.data, size)
    await ctx.files.write(wanted.path, picture, { replace: input.force })
    return { ...answer, written: { path: wanted.path, bytes: Buffer.byteLength(picture) } }
  },
  own: ({ written }) => (written === undefined ? '' : `Wrote ${written.path} (${inBytes(written.bytes)}).`),
  render(output, { ascii }, view = PLAIN) {
    if (output.written !== undefined) return output.notes.join('\n')
    const { x: xName, y: yName, is_time: isTime, ...rest } = output
    const plot: Plot = { ...rest, xName, yName, isTime }
    return terminalChart(plot, view, { ascii }).join('\n')
  },
})

const IS_ID = /^q_[0-9a-f]{12}$/

function endingOf(path: string): 'svg' | 'png' {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  if (ending === 'svg' || ending === 'png') return ending
  throw new AppError('invalid_input', 'An image file must end in .svg or .png.', { hint: 'E.g. --output chart.svg.' })
}

async function asked(ctx: Given<'context'>, sql: string, named: string | undefined): Promise<Charted> {
  const project = await ctx.contextProject()
  const ran = await runStatement(ctx, { project, database: chooseDatabase(project, named), sql })
  if ('refused' in ran) throw new AppError('forbidden', `Not run: ${ran.refused.reason}.`, { hint: ran.refused.hint })
  const { columns, rows, truncated } = ran.result
  return {
    data: {
      columns: columns.map(({ name, type }) => ({ name, type })),
      rows: rows.map((row) => row.map(plainCell)),
    },
    cut: truncated,
  }
}

/** Chooses the kind: a line for moments, bars for categories, a single figure for one value. */
function fitting(wish: Omit<ChartWish, 'kind'>, data: ChartData): ChartKind {
  const drawn = (kind: ChartKind) => readChart({ ...wish, kind }, data)
  const line = drawn('line')
  if ('plot' in line && line.plot.isTime) return 'line'
  return 'plot' in drawn('bar') || !('plot' in drawn('kpi')) ? 'bar' : 'kpi'
}
