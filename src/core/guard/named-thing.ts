import { GENERIC, pieces } from './words.ts'

/** What a rejected alternative or a replaced decision is known by: its words in order, as they are spelled. */
export interface NamedThing {
  readonly spelled: string
  /** Lower-case. */
  readonly words: readonly string[]
  /** Spelled as names are, so that it can be told from the ordinary word: `Redis`, `gRPC`, `S3`. */
  readonly isProper: boolean
}

const LEADING = /^(?:(?:use|using|adopt|adopting|add|adding|keep|keeping|stay(?:ing)? with|stick(?:ing)? with|switch(?:ing)? to|mov(?:e|ing) to|build|write|roll|introduce|run|host)\s+|(?:a|an|the|our|own|plain|pure|raw|full|fully|custom|hosted|managed|external|separate|dedicated|another|more|apache|amazon|aws|google|microsoft|azure|hashicorp)\s+)+/i
const CUT = /\s+(?:with|without|for|as|in|on|via|over|per|by|using|instead|inside|behind|plus|from|to|at|between|everywhere|only|based|style)\b.*$|\s*[–—:].*$|-based\b.*$/i
const LONGEST = 4

/**
 * The things that the name of an alternative stands for: "Use an ORM (Prisma)" → ORM, Prisma; "Express or Fastify" → both;
 * "A queue in Redis" → Redis. Empty where it names nothing that could be found again.
 */
export function namedThings(name: string): NamedThing[] {
  const segments = name.split(/[,;()[\]/|+]|\s+(?:or|and|vs\.?|&)\s+/i).map((segment) => segment.trim())
  const heads = segments.map((segment) => toThing(segment.replace(LEADING, '').replace(CUT, '')))
  const inside = segments.flatMap((segment) => segment.split(/\s+/).slice(1).filter(isSpelledAsName).map(toThing))
  const things = [...heads, ...inside].filter((thing) => thing !== undefined)
  return [...new Map(things.map((thing) => [thing.words.join(' '), thing])).values()]
}

function toThing(spelled: string): NamedThing | undefined {
  const words = pieces(spelled).map((word) => word.toLowerCase())
  const isTelling = words.some((word) => !GENERIC.has(word) && word.length > 1) || isMarked(spelled)
  if (words.length === 0 || words.length > LONGEST || !isTelling || (words.length === 1 && GENERIC.has(words[0]!))) return undefined
  return { spelled, words, isProper: isMarked(spelled) || /^\p{Lu}\p{Ll}+$/u.test(spelled) }
}

/** A capital after a small letter, or letters with digits: no ordinary word is spelled so. */
const isMarked = (word: string): boolean => /^\S*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\d)\S*$/u.test(word)

/** Inside a sentence a capital makes a name; where most words have one it is only the style of the heading. */
function isSpelledAsName(word: string, _at: number, others: readonly string[]): boolean {
  const isHeadingStyle = others.filter((other) => /^\p{Lu}/u.test(other)).length > others.length / 2 && others.length > 1
  return isMarked(word) || (/^\p{Lu}\p{Ll}{2,}$/u.test(word) && !isHeadingStyle)
}
