import { z } from 'zod'
import { queryId } from '../../context/operations/kept-result.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation } from '../../operations/operation.ts'
import { chartFigures, figuresLine } from '../domain/chart/chart-figures.ts'
import { terminalChart } from '../domain/chart/terminal-chart.ts'
import { chartedResult, chartFields, chartMeant, chartShape, kindField } from './chart-fields.ts'

const figure = z.object({ value: z.number(), at: z.string() })

export const displayChart = defineOperation({
  name: 'display_chart',
  title: 'Show a chart',
  summary: `Draw a chart over the result of ${operationNamed('execute_sql')}, by its query id; says its first, last, least and largest figures.`,
  details:
    'In a turn of the analyst the chart becomes part of the answer; elsewhere it comes back drawn in characters. ' +
    'What cannot be drawn is refused with what to change: columns that are not there, texts on y, too many categories. ' +
    'A result with one row for each x and each category is laid out by series_by.',
  searchHint: 'plot, graph, visualize query rows',
  effect: 'read',
  words: 'database',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['query_id'],
  input: { query_id: queryId, kind: kindField, ...chartFields },
  output: {
    chart: chartShape,
    places: z.number().describe('Values along x.'),
    figures: z.array(z.object({ series: z.string(), first: figure, last: figure, min: figure, max: figure })),
    drawing: z.string().optional().describe('The chart as text, if no chat shows it.'),
    notes: z.array(z.string()),
  },
  examples: [
    {
      title: 'Amounts of orders',
      input: { query_id: 'q_a03035599fd4', kind: 'line', x: 'id', y: ['amount'], title: 'Amounts of orders' },
    },
  ],
  async run(ctx, { query_id, ...wish }) {
    const { chart, plot } = chartMeant({ query: query_id, ...wish }, await chartedResult(ctx, query_id))
    await ctx.turn?.add({ kind: 'chart', call: ctx.turn.call, chart })
    return {
      chart: { ...chart, series: chart.series.map((one) => ({ ...one })) },
      places: plot.labels.length,
      figures: chartFigures(plot).map((one) => ({ ...one })),
      ...(ctx.turn === undefined && { drawing: terminalChart({ ...plot, notes: [] }, PLAIN).join('\n') }),
      notes: [...plot.notes],
    }
  },
  render({ chart, places, figures, drawing, notes }) {
    const by =
      chart.seriesBy === undefined ? '' : `, ${plural(figures.length, 'series', 'series')} by ${chart.seriesBy}`
    const extent = places === 0 ? '' : ` (${plural(places, 'value')} of ${chart.x}${by})`
    const said = drawing === undefined ? `Shown: a ${chart.kind} chart of ${chart.query}${extent}.` : drawing
    return [said, ...figures.map(figuresLine), ...notes].join('\n')
  },
})
