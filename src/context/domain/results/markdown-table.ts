/** A Markdown table; a cell cannot break out of its place. */
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
