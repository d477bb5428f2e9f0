/** Text for a table cell: on one line, with bars escaped. */
export const markdownCell = (text: string): string => escapeBars(oneLine(text))

/** Inline code with as many backticks as needed; valid in a table cell. */
export function inlineCode(text: string): string {
  const line = oneLine(text)
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${escapeBars(line)}${pad}${fence}`
}

/** Code block with fences that nothing inside can close. */
export function fencedCode(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

// All characters that some Markdown reader treats as a line end.
const LINE_END = /[\n\r\u0085\u2028\u2029\v\f]/

const oneLine = (text: string): string =>
  LINE_END.test(text)
    ? text
        .split(LINE_END)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : text

/** Doubles backslashes before a bar, which would otherwise escape the backslash that escapes the bar. */
function escapeBars(text: string): string {
  if (!text.includes('|')) return text
  const parts = text.split('|')
  return parts
    .map((part, i) => {
      if (i === parts.length - 1) return part
      let end = part.length
      while (end > 0 && part[end - 1] === '\\') end--
      return part + '\\'.repeat(part.length - end)
    })
    .join(String.raw`\|`)
}
