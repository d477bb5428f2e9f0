/**
 * Converts a Markdown passage to plain running text, without markup and without the turn metadata of a session file.
 */
export const runningText = (passage: string, longest: number, said = ''): string => {
  const text = passage
    .split('\n')
    .filter((line) => !FACT.test(line) && !TURN.test(line) && !RULE.test(line))
    .map(plain)
    .filter((line) => line !== '' && line !== said)
    .join(' ')
    .replace(/\s+/g, ' ')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const plain = (line: string): string =>
  (line.trimStart().startsWith('|') ? cells(line) : line.trim().replace(/^(?:#{1,6}|[-*+]|>)[ \t]+/, ''))
    .replaceAll(/!?\[([^\][]{0,400})\]\([^()\s]{0,400}\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim()

/** The cells of a table row. */
const cells = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')

// Metadata lines that precede a turn in a session file, or are part of a note.
const FACT = /^(?:> (?:at|aborted|queued|images|files|tools?)\b|tags:|scope:|<!--)/
const TURN = /^#{1,3} (?:User|Assistant|Compaction summary)$/
// The line between the head and the rows of a table.
const RULE = /^[ \t]*\|[ \t|:-]*$/
