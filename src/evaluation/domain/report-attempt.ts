import { pageText } from '../../kernel/domain/lone-page.ts'
import { head, plural } from '../../kernel/domain/text.ts'
import type { TableDifference } from './comparison.ts'
import type { TestAttempt, TestCheck, ToolUse } from './test-run.ts'

// Limit for reading in a browser; the JSON report has more.
const MOST_TEXT = 4_000
const MOST_CHECKS = 60
const MOST_CALLS = 40

/** One try of a case: the checks, with the cells that differ, the answer, and the tool calls. */
export function attemptHtml({ checks, answer, calls }: TestAttempt): string {
  const ordered = checks.toSorted((a, b) => Number(a.passed) - Number(b.passed))
  return [
    listed('<ul class="plain checks">', ordered.slice(0, MOST_CHECKS).map(checkHtml), '</ul>'),
    leftOut(checks.length - MOST_CHECKS, 'check'),
    answer === '' ? '' : `<h3>Answer</h3>\n<pre>${shortText(answer)}</pre>`,
    calls.length === 0 ? '' : `<h3>${plural(calls.length, 'call of a tool', 'calls of tools')}</h3>`,
    ...calls.slice(0, MOST_CALLS).map(callHtml),
    leftOut(calls.length - MOST_CALLS, 'call'),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** Beginning of a long text. */
export const shortText = (given: string): string =>
  given.length <= MOST_TEXT
    ? pageText(given)
    : `${pageText(head(given, MOST_TEXT))}…\n[${given.length - MOST_TEXT} more characters]`

const listed = (open: string, items: readonly string[], close: string): string =>
  items.length === 0 ? '' : `${open}\n${items.join('\n')}\n${close}`

const leftOut = (count: number, what: string): string =>
  count > 0 ? `<p class="soft">${plural(count, `more ${what}`)}.</p>` : ''

function checkHtml({ expects, passed, found, difference }: TestCheck): string {
  const sign = passed
    ? '<span class="yes"><span aria-hidden="true">✓</span><span class="unseen">held:</span></span>'
    : '<span class="no"><span aria-hidden="true">✗</span><span class="unseen">did not hold:</span></span>'
  const instead = found === undefined ? '' : ` <span class="found">found: ${pageText(found)}</span>`
  return `<li>${sign}<div>${pageText(expects)}${instead}${difference === undefined ? '' : differenceHtml(difference)}</div></li>`
}

function differenceHtml(difference: TableDifference): string {
  const { reason, columns, cells, total, missing, extra, missingRows, extraRows } = difference
  const names = columns.map(({ expected }) => expected)
  const renamed = columns.filter(({ expected, found }) => found !== expected)
  const left = total - cells.length
  return `<div class="difference">
<p>${pageText(reason)}</p>
${
  cells.length === 0
    ? ''
    : `<div class="scroll"><table>
<thead><tr><th scope="col" class="right">row</th><th scope="col">column</th><th scope="col">expected</th><th scope="col">found</th></tr></thead>
<tbody>
${cells
  .map(
    ({ column, row, expected, found }) =>
      `<tr><td class="right">${row}</td><th scope="row">${pageText(column)}</th><td class="expected">${cellHtml(expected)}</td><td class="differs">${cellHtml(found)}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table></div>`
}
${left > 0 ? `<p class="soft">${plural(left, 'more cell differs', 'more cells differ')}.</p>` : ''}
${rowsHtml(plural(missing, 'row is missing', 'rows are missing'), names, missingRows, 'expected')}
${rowsHtml(plural(extra, 'row is too many', 'rows are too many'), names, extraRows, 'differs')}
${renamed.length === 0 ? '' : `<p class="soft">Columns: ${renamed.map(({ expected, found }) => `${pageText(expected)} ${found === null ? 'was not found' : `was found as ${pageText(found)}`}`).join('; ')}.</p>`}
</div>`
}

function rowsHtml(
  title: string,
  names: readonly string[],
  rows: TableDifference['missingRows'],
  mark: 'expected' | 'differs',
): string {
  if (rows.length === 0) return ''
  const headRow =
    names.length === 0
      ? ''
      : `<thead><tr>${names.map((name) => `<th scope="col">${pageText(name)}</th>`).join('')}</tr></thead>\n`
  return `<p>${title}</p>
<div class="scroll"><table>
${headRow}<tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td class="${mark}">${cellHtml(cell)}</td>`).join('')}</tr>`).join('\n')}
</tbody>
</table></div>`
}

function cellHtml(cell: unknown): string {
  if (cell === undefined) return '<span class="null">nothing</span>'
  if (cell === null) return '<span class="null">null</span>'
  if (cell === '') return '<span class="null">empty text</span>'
  // "5" and 5 may differ, and must not look the same.
  return typeof cell === 'string' && /^[-+]?[\d.]|^(?:true|false|null|\s|.*\s$)/.test(cell)
    ? pageText(JSON.stringify(cell))
    : pageText(String(cell))
}

const callHtml = ({ tool, input, failed, result }: ToolUse): string =>
  `<details class="call"><summary><code>${pageText(tool)}</code>${failed ? ' <span class="bad">failed</span>' : ''}</summary>
<pre>${shortText(input)}</pre>
${result === '' ? '' : `<pre>${shortText(result)}</pre>`}
</details>`
