import { foldLetters } from '../../kernel/domain/text/fold.ts'

/** Text as searched: lower case, without accents. */
export const foldedText = (text: string): string => foldLetters(text).toLowerCase()

// Each is searched in all texts; nobody remembers more of a chat.
const MOST_WORDS = 12

/** Words of the query. */
export const searchWords = (text: string): readonly string[] => [
  ...new Set(foldedText(text).trim().split(/\s+/).slice(0, MOST_WORDS)),
]
