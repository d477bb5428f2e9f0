/**
 * Normalises letters with several spellings: unifies compatibility forms and removes the accents of Latin, Greek and
 * Cyrillic letters. Keeps case, so that camelCase stays visible.
 */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(WHOLE_LETTERS, (letter) => LETTERS.get(letter)!)
    .normalize('NFC')
}

// oxlint-disable-next-line no-control-regex
export const ASCII = /^[\0-\x7f]*$/

// Accents and invisible characters. Other marks are kept: the voicing marks of kana and the vowel signs of Indic
// scripts change the word.
const ACCENTS = /[\u0300-\u036f]|[\ufe00-\ufe0f]|\u00ad|\u200c|\u200d|\u2060|\ufeff/g

// Letters with a stroke or a ligature, which have no decomposition.
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ẞ', 'Ss'],
  ['æ', 'ae'],
  ['Æ', 'Ae'],
  ['œ', 'oe'],
  ['Œ', 'Oe'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['ħ', 'h'],
  ['Ħ', 'H'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['þ', 'th'],
  ['Þ', 'Th'],
  ['ς', 'σ'],
])

const WHOLE_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g')
