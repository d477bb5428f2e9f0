import { chartHeight } from '../../analyst/domain/chart/chart-height.ts'
import type { ChartData } from '../../analyst/domain/chart/chart.ts'
import { plotChart } from '../../analyst/domain/chart/plot-chart.ts'
import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { turnAnswer } from '../../analyst/domain/chat/turn-answer.ts'
import { csvText } from '../../context/domain/results/csv.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import type { ChannelFile } from '../../team/domain/channel/channel-post.ts'
import { ifThere, run, type ChannelDesk } from './channel-desk.ts'

const MOST_CHARTS = 4
const WIDTH = 960
const MOST_ROWS = 1_000
const LARGEST_CSV = 256 * 1024

/** Attachments of an answer: its charts as PNG, and the rows of its last query if they are few. */
export async function answerFiles(
  desk: ChannelDesk,
  ctx: Given<'analyst'>,
  { chat, parts }: { readonly chat: string; readonly parts: readonly ChatPart[] },
): Promise<readonly ChannelFile[]> {
  const resultOf = async (query: string): Promise<Result | undefined> =>
    (await ifThere(run(desk, ctx, 'chat_result', { chat, query_id: query, limit: 5_000 }))) as Result | undefined
  const files: ChannelFile[] = []
  for (const [at, chart] of turnAnswer(parts).charts.slice(0, MOST_CHARTS).entries()) {
    const data = await resultOf(chart.query)
    if (data === undefined) continue
    const plotted = plotChart(chart, data)
    if ('faults' in plotted) continue
    const size = { width: WIDTH, height: chartHeight(plotted.plot), theme: 'light' as const }
    const bytes = await ifThere(ctx.charts().then((painter) => painter.png(chart, data, size)))
    if (bytes !== undefined)
      files.push({ name: `chart-${at + 1}.png`, title: visibleLine(chart.title) || 'Chart', bytes })
  }
  const query = lastQuery(parts)
  const result = query === undefined ? undefined : await resultOf(query)
  if (result === undefined || result.cut || result.row_count > MOST_ROWS || result.rows.length < result.row_count)
    return files
  // For a spreadsheet: people open it there.
  const bytes = new TextEncoder().encode(csvText(result, { spreadsheet: true }))
  if (bytes.length <= LARGEST_CSV) files.push({ name: 'result.csv', title: 'Result', bytes })
  return files
}

interface Result extends ChartData {
  readonly row_count: number
  readonly cut: boolean
}

function lastQuery(parts: readonly ChatPart[]): string | undefined {
  for (const part of parts.toReversed())
    if (part.kind === 'result' && part.tool === 'execute_sql' && !part.failed) {
      const query = (part.output as { readonly query_id?: unknown } | undefined)?.query_id
      if (typeof query === 'string') return query
    }
  return undefined
}
