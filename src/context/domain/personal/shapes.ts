import { isCompanyName } from './whole-value.ts'

const PARTICLE = /^(?:von|van|vom|zu|de|der|den|del|della|dos|das|da|di|do|la|le|al|bin|ibn|el|ter|ten|af)$/i
const TITLE = /^(?:mr|mrs|ms|miss|dr|prof|ing|dipl|herr|frau|mme|mlle|sr|sra|jr)\.?$/i

/** Two to four capitalised words that could be a person's name, known or not. */
export function looksLikeName(text: string): boolean {
  if (text.length > 60 || !/^[\p{L}\p{M}.,’' -]{4,}$/u.test(text) || isCompanyName(text)) return false
  const words = text.split(/[ ,]+/).filter((word) => word !== '' && !TITLE.test(word))
  if (words.length < 2 || words.length > 5) return false
  const told = words.filter((word) => !PARTICLE.test(word))
  return told.length >= 2 && told.every((word) => /^\p{Lu}[\p{L}\p{M}’'-]*\.?$/u.test(word))
}

/** One or a few words and a house number. */
export const looksLikeStreet = (text: string): boolean =>
  text.length <= 60 &&
  (/^\p{Lu}[\p{L}\p{M}.’' -]{2,45} \d{1,4} ?[a-zA-Z]?$/u.test(text) ||
    /^\d{1,5} \p{Lu}[\p{L}\p{M}.’' ]{2,45}$/u.test(text))

/** A meaningless column name: `f_01`, `col3`, `x`. */
export const saysNothing = (column: string): boolean =>
  /^(?:[a-z]{1,2}|col|column|field|fld|feld|attr|val|value|text|data|spalte|campo|c|f|x)?_?\d{0,4}$/i.test(column)
