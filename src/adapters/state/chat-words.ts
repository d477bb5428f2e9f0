import { foldLetters } from '../../core/text/fold.ts'

/** Whether texts hold all words that somebody looks for, each in any of them. */
export function searchFor(words: string): (texts: Iterable<string>) => boolean {
  const wanted = folded(words)
    .split(/\s+/)
    .filter((word) => word !== '')
  return (texts) => {
    let missing = wanted
    for (const text of texts) {
      if (missing.length === 0) return true
      const found = folded(text)
      missing = missing.filter((word) => !found.includes(word))
    }
    return missing.length === 0
  }
}

const folded = (text: string): string => foldLetters(text).toLowerCase()
