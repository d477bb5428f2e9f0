/** The cells of a row of a Markdown table, trimmed. An escaped bar is part of its cell. */
export function tableCells(line: string): string[] {
  const cells: string[] = []
  const text = line.trim()
  let cell = ''
  for (let at = text.startsWith('|') ? 1 : 0; at < text.length; at++) {
    if (text[at] === '\\' && text[at + 1] === '|') cell += text[++at]
    else if (text[at] === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += text[at]
  }
  if (cell.trim() !== '' || !text.endsWith('|')) cells.push(cell.trim())
  return cells
}

/** Whether a line is the row of dashes below the head of a table: `|---|:-:|`, also `---|---`. */
export const isTableRule = (line: string): boolean =>
  /^[\s|:-]*-[\s|:-]*$/.test(line) && tableCells(line).every((cell) => /^:?-+:?$/.test(cell))
