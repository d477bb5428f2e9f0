/**
 * Rows of one table as Markdown, the first as its header. Short rows are padded; if that would exceed `most` cells,
 * because one very long row widens all others, they become plain lines.
 */
export function markdownRows(rows: readonly (readonly string[])[], most: number): string {
  const width = rows.reduce((longest, row) => Math.max(longest, row.length), 0)
  if (width === 0) return ''
  if (width * rows.length > most) return rows.map((row) => row.join(' | ')).join('\n')
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`
  return [line(rows[0]!), line(Array.from({ length: width }, () => '---')), ...rows.slice(1).map(line)].join('\n')
}
