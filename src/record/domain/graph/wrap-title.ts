// Full-width letters take two columns.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u

/**
 * A title in at most `rows` lines of `columns` columns, the last one truncated with an ellipsis if it does not fit. SVG
 * text does not wrap.
 */
export function wrapTitle(title: string, columns: number, rows: number): string[] {
  const lines: string[] = []
  let rest = title.trim()
  while (rest !== '' && lines.length < rows) {
    const isLast = lines.length === rows - 1
    const end = fitting(rest, columns)
    if (end === rest.length) lines.push(rest)
    else if (isLast) lines.push(`${rest.slice(0, fitting(rest, columns - 1)).trimEnd()}…`)
    else lines.push(rest.slice(0, breakBefore(rest, end)).trimEnd())
    rest = isLast ? '' : rest.slice(end === rest.length ? end : breakBefore(rest, end)).trimStart()
  }
  return lines
}

/** How many characters fit into the columns; never half a surrogate pair. */
function fitting(text: string, columns: number): number {
  let used = 0
  let end = 0
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1
    if (used > columns) return end
    end += character.length
  }
  return end
}

/** The last word boundary up to `end`; `end` itself if the text has none. */
function breakBefore(text: string, end: number): number {
  const space = text.lastIndexOf(' ', end)
  return space > 0 ? space : end
}
