/** A passage of Markdown as words in a row: what marks it up, and what a session file says of a turn, says nothing there. */
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

/** The cells of a row of a table. */
const cells = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')

// What a session file says of a turn before the turn begins, and a note of itself.
const FACT = /^(?:> (?:at|aborted|queued|images|files|tools?)\b|tags:|scope:|<!--)/
const TURN = /^#{1,3} (?:User|Assistant|Compaction summary)$/
// The line between the head and the rows of a table.
const RULE = /^[ \t]*\|[ \t|:-]*$/
