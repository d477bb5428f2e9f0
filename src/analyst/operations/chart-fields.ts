import { z } from 'zod'
import { keptResult, redactRows } from '../../context/operations/kept-result.ts'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import { forPeople } from '../../operations/operation.ts'
import { CHART_KINDS, type ChartData } from '../domain/chart/chart.ts'
import { readChart, type ChartWish } from '../domain/chart/read-chart.ts'

/** Fields of a chart, for agents and people alike. */
export const chartFields = {
  x: z.string().max(200).optional().describe('Column along the x axis, or of the slices.'),
  y: z
    .array(z.union([z.string(), z.looseObject({})]))
    .max(50)
    .default([])
    .meta({
      description: 'Columns of numbers; {column, label} to name one.',
      ...forPeople('A column of numbers; several times for several series.'),
    }),
  series_by: z.string().max(200).optional().describe('Column whose values become series.'),
  title: z.string().max(1_000).optional(),
}

/** A chart in an answer. */
export const chartShape = z.object({
  query: z.string(),
  kind: z.enum(CHART_KINDS),
  title: z.string(),
  x: z.string().optional(),
  series: z.array(z.object({ column: z.string(), label: z.string().optional() })),
  seriesBy: z.string().optional(),
})

export const kindField = z.string().max(100).describe(CHART_KINDS.join(', '))

export interface Charted {
  readonly data: ChartData
  /** The result is longer than the drawn part. */
  readonly cut: boolean
}

/**
 * Returns the stored result: within a turn that of the chat, otherwise the one kept for an hour. Secrets are masked in
 * both.
 */
export async function chartedResult(ctx: Given<'analyst' | 'context'>, id: string): Promise<Charted> {
  if (ctx.turn === undefined) {
    const project = await ctx.contextProject()
    const { columns, rows, cut } = await keptResult(project, id)
    return { data: { columns, rows: await redactRows(project, rows) }, cut }
  }
  const { queries } = await ctx.analystState()
  const found = await queries.find(ctx.turn.chat, id)
  if (found === undefined) {
    const known = await queries.list(ctx.turn.chat)
    throw unknownName(
      'query of this chat',
      id,
      known.map((query) => query.id),
    )
  }
  return { data: found, cut: found.cut || found.rowCount > found.rows.length }
}

/** The requested chart; throws `invalid_input` with all its faults. */
export function chartMeant(wish: ChartWish, { data, cut }: Charted) {
  const read = readChart(wish, data)
  if ('faults' in read)
    throw new AppError('invalid_input', read.faults.join('\n'), { details: { faults: [...read.faults] } })
  const notes = [...read.plot.notes, ...(cut ? [`The result is longer: ${data.rows.length} rows are drawn.`] : [])]
  return { chart: read.chart, plot: { ...read.plot, notes } }
}
