import { markdownCell } from '../../../kernel/domain/text/markdown-cell.ts'

/** A Markdown table; cell content cannot break its structure. */
export const markdownTable = (
  columns: readonly { readonly name: string }[],
  rows: readonly (readonly unknown[])[],
): readonly string[] => [line(columns.map(({ name }) => name)), line(columns.map(() => '---')), ...rows.map(line)]

const line = (values: readonly unknown[]): string =>
  `| ${values.map((value) => markdownCell(String(value ?? ''))).join(' | ')} |`
