import { plural } from '../../kernel/domain/text.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { cellText } from '../domain/results/cell-text.ts'
import { markdownTable } from '../domain/results/markdown-table.ts'
import { isData } from '../domain/results/result-format.ts'
import { resultTable } from '../domain/results/result-table.ts'
import type { SqlInput, SqlOutput } from './run-sql.ts'

/** Ken's own notes on the rows. */
export function tellOwn(output: SqlOutput): string {
  const { written, saved } = output
  return [
    ...(written === undefined
      ? []
      : [
          `Wrote ${plural(written.rows, 'row')} to ${written.path} (${written.format}, ${sizeOf(written.bytes)}).`,
          ...output.notes,
        ]),
    ...(saved === undefined ? [] : [`Saved as ${saved}; the next sync checks it. Delete the file to take it back.`]),
  ].join('\n')
}

/** Renders rows: a table for a person, Markdown for a pipe, or the requested format. */
export function renderResult(output: SqlOutput, input: SqlInput, view: View = PLAIN): string {
  const isForProgram = output.format !== undefined && isData(output.format)
  // Anything on standard output would be taken for data, so the refusal was printed on standard error.
  if (output.refused !== undefined) return isForProgram && view.reader === 'pipe' ? '' : refusal(output.refused)
  if (output.text !== undefined) return [output.text.trimEnd(), ...output.notes].join('\n')
  if (output.written !== undefined || isForProgram) return ''
  const format = output.format ?? (view.reader === 'person' ? 'table' : 'markdown')
  const rows = format === 'markdown' ? markdownTable(output.columns, textsOf(output)) : resultTable(output, view, input)
  return [...rows, '', view.mark('dim', extentOf(output)), ...output.notes].join('\n')
}

/** Decimals as stored, 37.00, as in every other format. */
const textsOf = ({ columns, rows }: SqlOutput): readonly (readonly (string | null)[])[] =>
  rows.map((row) => columns.map((column, i) => cellText(row[i] ?? null, column)))

export const refusal = ({ reason, hint }: NonNullable<SqlOutput['refused']>): string => `Not run: ${reason}. ${hint}`

function extentOf({ rows, row_count, cut, milliseconds, query_id }: SqlOutput): string {
  const counted = row_count.toLocaleString('en-US')
  const extent =
    rows.length === row_count && !cut
      ? plural(row_count, 'row')
      : `${rows.length.toLocaleString('en-US')} of ${cut ? 'more than ' : ''}${counted} rows; --all shows ${cut ? 'what can be read' : 'the rest'}`
  return [extent, ...(milliseconds > 0 ? [`${(milliseconds / 1000).toFixed(2)} s`] : []), query_id].join(' · ')
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? plural(bytes, 'byte')
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`
