import { inDollars } from '../../analyst/domain/chat/in-dollars.ts'
import { escapeHtml } from '../../kernel/domain/lone-page.ts'
import { atMinute, inPercent } from './figures.ts'
import type { RunPoint } from './run-report.ts'

const WIDTH = 360
const HEIGHT = 130
const LEFT = 56
const RIGHT = 12
const TOP = 12
const BOTTOM = 22

/** The last runs as two small charts, and as a table for screen readers. Empty for a single run. */
export function historyHtml(history: readonly RunPoint[]): string {
  if (history.length < 2) return ''
  const costs = history.some(({ cost }) => cost !== undefined && cost > 0)
  return `<h2 id="history">The last ${history.length} runs</h2>
<div class="charts">
${figure('Cases that passed', passChart(history))}
${costs ? figure('Cost', costChart(history)) : ''}
</div>
<details>
<summary>As a table</summary>
<div class="scroll"><table>
<thead><tr><th scope="col">run</th><th scope="col">models</th><th scope="col" class="right">passed</th><th scope="col" class="right">rate</th><th scope="col" class="right">cost</th></tr></thead>
<tbody>
${history
  .toReversed()
  .map(
    (point) =>
      `<tr><th scope="row">${escapeHtml(atMinute(point.startedAt))}${point.isComplete ? '' : ' (not complete)'}</th><td>${escapeHtml(modelsOf(point))}</td><td class="right">${point.passed} of ${point.cases}</td><td class="right">${inPercent(point.passRate)}</td><td class="right">${point.cost === undefined ? '—' : inDollars(point.cost)}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table></div>
</details>`
}

const modelsOf = ({ models }: RunPoint): string => models.filter((model) => model !== '-').join(', ') || '—'

const figure = (title: string, svg: string): string => `<figure><figcaption>${title}</figcaption>${svg}</figure>`

function passChart(history: readonly RunPoint[]): string {
  const at = scale(history.length)
  const points = history.flatMap((point, index) =>
    point.passRate === null ? [] : [{ x: at(index), y: heightOf(point.passRate), point }],
  )
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  const dots = points.map(
    ({ x, y, point }) =>
      `<circle class="dot${point.isComplete ? '' : ' open'}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.5"><title>${told(point, inPercent(point.passRate))}</title></circle>`,
  )
  const last = history.at(-1)!
  return svg(`Cases that passed, over ${history.length} runs; ${inPercent(last.passRate)} in the last`, [
    ...[0, 0.5, 1].map((part) => gridLine(heightOf(part), inPercent(part))),
    `<path class="line" d="${path}"/>`,
    ...dots,
    ...days(history),
  ])
}

function costChart(history: readonly RunPoint[]): string {
  const at = scale(history.length)
  const most = history.reduce((found, { cost }) => Math.max(found, cost ?? 0), 0)
  const width = Math.max(3, Math.min(22, ((WIDTH - LEFT - RIGHT) / history.length) * 0.6))
  const bars = history.flatMap((point, index) => {
    if (point.cost === undefined) return []
    const y = heightOf(point.cost / most)
    const height = Math.max(1, HEIGHT - BOTTOM - y)
    return [
      `<rect class="bar${index === history.length - 1 ? ' last' : ''}" x="${(at(index) - width / 2).toFixed(1)}" y="${(HEIGHT - BOTTOM - height).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" rx="1.5"><title>${told(point, inDollars(point.cost))}</title></rect>`,
    ]
  })
  const last = history.at(-1)!.cost
  return svg(
    `Cost of ${history.length} runs; ${last === undefined ? 'not known' : inDollars(last)} for the last, at most ${inDollars(most)}`,
    [gridLine(heightOf(0), '$0'), gridLine(heightOf(1), inDollars(most)), ...bars, ...days(history)],
  )
}

const svg = (name: string, inside: readonly string[]): string =>
  `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(name)}">${inside.join('')}</svg>`

const scale =
  (count: number) =>
  (index: number): number => {
    const margin = 14
    const room = WIDTH - LEFT - RIGHT - 2 * margin
    return LEFT + margin + (count === 1 ? room / 2 : (index * room) / (count - 1))
  }

const heightOf = (part: number): number => TOP + (1 - part) * (HEIGHT - TOP - BOTTOM)

const gridLine = (y: number, label: string): string =>
  `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${label}</text>`

const days = (history: readonly RunPoint[]): string[] => {
  const [first, last] = [history[0]!.startedAt.slice(0, 10), history.at(-1)!.startedAt.slice(0, 10)]
  const label = (x: number, anchor: string, text: string): string =>
    `<text x="${x}" y="${HEIGHT - 5}" text-anchor="${anchor}">${escapeHtml(text)}</text>`
  return [label(LEFT, 'start', first), ...(last === first ? [] : [label(WIDTH - RIGHT, 'end', last)])]
}

const told = (point: RunPoint, value: string): string =>
  escapeHtml(`${atMinute(point.startedAt)}: ${value}${point.isComplete ? '' : ' (not complete)'}`)
