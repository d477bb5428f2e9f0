import { codePoints } from '../text.ts'

/**
 * Text for a terminal or a model. Every character that affects either without being visible (escape sequences, bidi
 * overrides, tags, zero-width and other invisible characters, lone surrogates) is written as `\u{1b}`. Line ends become
 * \n.
 */
export function visible(text: string): string {
  if (!isSuspect(text)) return text
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, written)
}

/**
 * Like `visible`, for all texts inside a value that becomes JSON, including keys. Returns the value itself if nothing
 * changes.
 */
export function visibleDeep<T>(value: T): T {
  if (typeof value === 'string') return visible(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => visibleDeep(item))
    return items.some((item, i) => item !== value[i]) ? (items as T) : value
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, item, visible(key), visibleDeep(item)] as const)
  return entries.some(([key, item, newKey, newItem]) => key !== newKey || item !== newItem)
    ? (Object.fromEntries(entries.map(([, , key, item]) => [key, item])) as T)
    : value
}

/** Like `visible`, on one line, for a name inside a sentence. */
export const visibleLine = (text: string): string => visible(text.replaceAll(/\s+/g, ' ').trim())

/** First character that must not be recorded, and its 1-based position in characters. */
export function findHidden(text: string): { name: string; position: number } | undefined {
  HIDDEN.lastIndex = 0
  const found = isSuspect(text) ? HIDDEN.exec(text) : null
  if (found === null) return undefined
  const code = found[0].codePointAt(0)!
  return {
    name: `U+${code.toString(16).toUpperCase().padStart(4, '0')} (${kindOf(code)})`,
    position: codePoints(text.slice(0, found.index)) + 1,
  }
}

/** Text without invisible characters, for imports from other programs. */
export const withoutHidden = (text: string): string => (isSuspect(text) ? text.replaceAll(HIDDEN, '') : text)

/** Removes a byte order mark and carriage returns that an editor or another system added. */
export const plainText = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')

/** Control, format and invisible characters, line and paragraph separators, lone surrogates. */
const SUSPECTS = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`
const SUSPECT = new RegExp(String.raw`(?![\n\t])${SUSPECTS}`, 'v')
// Most text is ASCII, and this check costs a tenth of the full one.
const BEYOND_PLAIN = /[^\n\t\x20-\x7e]/
const isSuspect = (text: string): boolean => BEYOND_PLAIN.test(text) && SUSPECT.test(text)

// Scripts that spell words with joiners; UNSPACED are scripts that mark line breaks because they have no spaces.
const JOINING = classOf(
  'Arab Syrc Mong Nkoo Adlm Phag Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Lana Bali Java',
)
const UNSPACED = classOf('Thai Laoo Khmr Mymr Tibt Lana')
const PICTURE = String.raw`\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F]?`

/** Contexts in which a suspect character is legitimate: the characters required before and after it. */
const LEGITIMATE = [
  String.raw`[\n\t]`,
  // Visible signs, although Unicode calls them format characters.
  String.raw`[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]`,
  String.raw`(?<=${JOINING})[\u200C\u200D](?=${JOINING})`,
  String.raw`(?<=${PICTURE})\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=${UNSPACED})\u200B(?=${UNSPACED})`,
  String.raw`(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]`,
  String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=\p{Ideographic})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=${classOf('Mong')})[\u180B-\u180D\u180F]`,
].join('|')

const HIDDEN = new RegExp(`(?!${LEGITIMATE})${SUSPECTS}`, 'gv')

const written = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`

/** Visible characters of these scripts. */
function classOf(scripts: string): string {
  return String.raw`[[${scripts
    .split(' ')
    .map((script) => String.raw`\p{Script=${script}}`)
    .join('')}]--\p{Cf}--\p{Default_Ignorable_Code_Point}]`
}

function kindOf(code: number): string {
  if (code === 0x1b) return 'escape'
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 'a control character'
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'a change of writing direction'
  if (code >= 0xd800 && code <= 0xdfff) return 'half a character'
  if (code >= 0xe0000 && code <= 0xe007f) return 'an invisible tag character'
  return 'an invisible character'
}
