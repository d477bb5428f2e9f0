/**
 * Converts a Markdown passage to plain running text, without markup and without the turn metadata of a session file.
 */
export const runningText = (passage: string, longest: number, said = ''): string => {
  const text = passage
    .replace(STAMP, '')
    .split('\n')
    .filter((line) => !FACT.test(line) && !TURN.test(line) && !RULE.test(line) && !CALL.test(line))
    .flatMap((line) => {
      const shown = plain(line.replace(SPEAKER, (_, who: string) => SPEAKERS[who]!))
      if (shown === '' || shown === said) return []
      return HEADING.test(line) && !/[.:!?]$/.test(shown) ? `${shown}:` : shown
    })
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
// A snippet of a session begins with its time, which is shown beside it.
const STAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d /
const SPEAKER = /^(User|Assistant): /
const SPEAKERS: Readonly<Record<string, string>> = { User: 'You: ', Assistant: 'Agent: ' }
const CALL = /^(?:Assistant: )?tool [\w.-]+(?: \([\w ]+\)|:)/
const HEADING = /^#{1,6} /
const TURN = /^#{1,3} (?:User|Assistant|Compaction summary)$/
// The line between the head and the rows of a table.
const RULE = /^[ \t]*\|[ \t|:-]*$/
