// A chunk is far shorter; a longer text costs no more than this.
const MAX_TEXT = 50_000

/** Receives the words of a text letter by letter. */
export interface Speller {
  /** Adds a UTF-16 unit to the current word. */
  push(unit: number): void
  /** Ends the current word. */
  end(): void
}

/**
 * The words of a text in their original form, in order: runs of letters and digits without accents, one ideograph at a
 * time. Case is kept, so that `splitName` can still see camelCase. scripts/static-model/fit.py reads text in exactly
 * the same way.
 */
export function spellWords(text: string, { push, end }: Speller): void {
  const start = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const plain = BEYOND_ASCII.test(start) ? start.normalize('NFD') : start
  let isInside = false
  for (let at = 0; at < plain.length; at++) {
    const unit = plain.charCodeAt(at)
    let kind = KINDS[unit]!
    let low = -1
    if (kind === UNKNOWN) {
      const point = plain.codePointAt(at)!
      kind = kindOf(String.fromCodePoint(point))
      if (point > 0xffff) low = plain.charCodeAt(++at)
      // A lone surrogate does not set the kind of other letters that begin with it.
      else if (unit < 0xd800 || unit > 0xdfff) KINDS[unit] = kind
    }
    if (kind === LETTER) {
      push(unit)
      if (low >= 0) push(low)
      isInside = true
    } else if (kind !== ACCENT) {
      if (isInside) end()
      isInside = false
      if (kind === IDEOGRAPH) {
        push(unit)
        if (low >= 0) push(low)
        end()
      }
    }
  }
  if (isInside) end()
}

export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  let units: number[] = []
  spellWords(text, {
    push: (unit) => units.push(unit),
    end() {
      words.push(units.map((unit) => String.fromCharCode(unit)).join(''))
      units = []
    },
  })
  return words
}

/** `parseHTTPRequest2` → parse, http, request, 2. */
export function splitName(word: string): readonly string[] {
  return (word.match(NAME_PART) ?? []).map((part) => part.toLowerCase())
}

const BEYOND_ASCII = /[\u0080-\uffff]/
const NAME_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu

const [UNKNOWN, SEPARATOR, LETTER, IDEOGRAPH, ACCENT] = [0, 1, 2, 3, 4]
// The kind of each UTF-16 unit seen so far.
const KINDS = new Uint8Array(0x10000)

function kindOf(letter: string): number {
  if (/\p{Mn}/u.test(letter)) return ACCENT
  if (/\p{Script=Han}/u.test(letter)) return IDEOGRAPH
  return /[\p{L}\p{N}]/u.test(letter) ? LETTER : SEPARATOR
}
