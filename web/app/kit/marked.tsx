import { matchedRanges, searchWords } from '../../graph/full-text.ts'

/** A text with the search terms highlighted. */
export const Marked = ({ text, words }: { text: string; words: readonly string[] }) => {
  const folded = words.flatMap(searchWords).slice(0, MOST_WORDS)
  if (folded.length === 0) return text
  const ranges = matchedRanges(text, folded)
  return (
    <>
      {ranges.map(([from, to], at) => (
        <span key={from}>
          {text.slice(ranges[at - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  )
}

// Each word is searched in every displayed text.
const MOST_WORDS = 24
