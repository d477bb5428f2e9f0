import { foldLetters } from '../../../kernel/domain/text/fold.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'

/** Normalises case, accents, apostrophes and white space. */
export const folded = (text: string): string =>
  foldLetters(text.normalize('NFKC').replaceAll(/[’‘ʼ`´]/g, "'"))
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Stems of the words that carry the topic of a text, each once. */
export function contentWords(text: string): readonly string[] {
  const words =
    folded(text)
      .replace(ASIDE, ' ')
      .match(/[\p{L}\p{N}][\p{L}\p{N}_.:/-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []
  return [...new Set(words.filter((word) => !FRAME.has(word)).map(stem))]
}

/** Phrases that introduce an aside. */
const ASIDE = /\b(?:by the way|btw|fyi|ubrigens|au fait|por cierto)\b/

/**
 * Whether two words match: English endings are handled; in other languages, words with the same beginning for most of
 * their length match.
 */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (/\d/.test(a) || /\d/.test(b)) return false
  const longest = Math.max(a.length, b.length)
  let shared = 0
  while (shared < longest && a[shared] === b[shared]) shared++
  return shared >= 4 && shared >= longest * 0.7
}

export const sharedWords = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.filter((word) => b.some((other) => isSameWord(word, other)))

/** Whether two texts use the same words, in any order. */
export function isSaidAlike(a: string, b: string): boolean {
  const [own, other] = [contentWords(a), contentWords(b)]
  return (
    own.length > 0 &&
    own.length === other.length &&
    sharedWords(own, other).length === own.length &&
    isNegated(a) === isNegated(b)
  )
}

/** Whether a text forbids something. */
export const isNegated = (text: string): boolean => NEGATION.test(folded(text))

const NEGATION =
  /\b(?:never|not|no|don'?t|doesn'?t|cannot|can'?t|won'?t|avoid|without|stop|omit|skip|exclude|leave out|hide|nicht|nie|niemals|kein\w*|ohne|vermeide\w*|jamais|pas|sans|evite\w*|exclu\w*|nunca|jamas|sin|evita\w*|excluye)\b|\bn'/

/** Framing words without a topic. */
const FRAME: ReadonlySet<string> = new Set(
  `s t d m ll re ve a an and are as at be been being but by for if in into is it its of on or such that the their then there these they this to was were will with
  i i'm im i've me my mine we we're us our ours you your yours he she his her user users user's person he's
  am do does did done has have had having can could should would may might must shall please kindly ok okay thanks thank also too very just so
  always never from now onwards forward future default whenever every each time times permanently rule general ever don't dont not no all any
  remember want wants wanted prefer prefers like likes need needs make sure unless otherwise say said says again these days instead over than rather
  going when what which who how team company's company
  der die das den dem des ein eine einen einem einer und oder aber ist sind war im in an am auf aus bei mit von zu zum zur fur als
  ich du sie wir mich mir uns mein meine meinen unser unsere dein deine bitte immer nie niemals nicht mehr ab jetzt sofort kunftig zukunft standardmassig
  soll sollst sollen sollte mal jedes nutzer
  le la les l un une des du de et ou est sont en au aux a pour par sur que qui ne n pas plus je j tu vous nous mon ma mes notre nos votre toujours jamais
  desormais dorenavant partir maintenant defaut chaque fois s'il plait d utilisateur
  el los las una unos unas y o es son en del al por para con que no yo tu usted nosotros mi mis nuestro nuestra siempre nunca jamas ahora adelante
  defecto cada vez favor usuario`.split(/\s+/),
)
