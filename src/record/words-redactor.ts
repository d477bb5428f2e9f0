import { AppError } from '../kernel/domain/errors.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'

const MARK = '[redacted]'

/** Redacts given words and passages instead of secrets: whole words, in any case, with any white space between them. */
export function wordsRedactor(words: readonly string[]): Redactor {
  const wanted = words.map((text) => text.trim())
  // A pattern of no words would match between all signs of the record.
  if (wanted.length === 0 || wanted.some((text) => text.length < SHORTEST || !/[\p{L}\p{N}]/u.test(text)))
    throw new AppError('invalid_input', `A word to redact has at least ${SHORTEST} characters, and a letter or digit.`)
  // The longest first, so that a whole name is removed, not only a part of it.
  const patterns = wanted.toSorted((a, b) => b.length - a.length).map(patternOf)
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return {
    async redact(text) {
      let count = 0
      const redacted = text.replace(any, (found) => {
        count += 1
        // Line breaks stay, so that no other line gets a new number.
        return MARK + (found.match(/\n/g)?.join('') ?? '')
      })
      return { text: redacted, count }
    },
  }
}

const SHORTEST = 2

const patternOf = (text: string): string =>
  text
    .split(/\s+/)
    .map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`))
    .join(String.raw`\s+`)
