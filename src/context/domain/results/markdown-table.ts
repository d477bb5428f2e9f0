/** A Markdown table; cell content cannot break its structure. */
export const markdownTable = (
  columns: readonly { readonly name: string }[],
  rows: readonly (readonly unknown[])[],
): readonly string[] => [line(columns.map(({ name }) => name)), line(columns.map(() => '---')), ...rows.map(line)]

const line = (values: readonly unknown[]): string =>
  `| ${values
    .map((value) =>
      String(value ?? '')
        .replaceAll('|', String.raw`\|`)
        .replaceAll('\n', ' '),
    )
    .join(' | ')} |`
