import { GENERIC, pieces } from './words.ts'

/** What a rejected alternative or a replaced decision is known by. */
export interface NamedThing {
  readonly spelled: string
  /** As `runs` spells it. */
  readonly key: string
  /** "Next.js" is the package `next`; a key that short counts only for a whole package name. */
  readonly packageName: string | undefined
  /** How it can be met in code: by its key, by its exact spelling, or, being an ordinary word, not at all. */
  readonly inCode: 'key' | 'spelling' | 'never'
}

const LEADING =
  /^(?:(?:use|using|adopt|adopting|add|adding|keep|keeping|stay(?:ing)? with|stick(?:ing)? with|switch(?:ing)? to|mov(?:e|ing) to|build|write|roll|introduce|run|host|a|an|the|our|own|plain|pure|raw|full|fully|custom|hosted|managed|external|separate|dedicated|another|more|apache|amazon|aws|google|microsoft|azure|hashicorp)\s+)+/i
const TRAILING =
  /\s+(?:with|without|for|as|in|on|via|over|per|by|using|instead|inside|behind|plus|from|to|at|between|everywhere|only)\b.*$|\s*[–—:].*$|-based\b.*$/i
const LONGEST = 4
// What propose_decision takes for an alternative and a rationale; a file in a clone may hold anything.
const LONGEST_NAME = 300
const LONGEST_CONTEXT = 10_000

/**
 * The things that the name of an alternative stands for: "Use an ORM (Prisma)" → ORM, Prisma; "Express or Fastify" →
 * both; "A queue in Redis" → Redis. Empty where it names nothing that could be found again. `context` is the text
 * around it: an ordinary word with a capital ("Polling", "Redis") is known to be a name only by being spelled so inside
 * a sentence.
 */
export function namedThings(name: string, context: string): NamedThing[] {
  const segments = name
    .slice(0, LONGEST_NAME)
    .split(/[,;()[\]|+]|\s\/\s|\s+(?:or|vs\.?)\s+/i)
    .map((segment) => segment.trim())
  const things = segments
    .flatMap((segment) => [headOf(segment, context.slice(0, LONGEST_CONTEXT)), ...namesInside(segment)])
    .filter((thing) => thing !== undefined)
  return [...new Map(things.toReversed().map((thing) => [thing.key, thing])).values()].reverse()
}

function headOf(segment: string, context: string): NamedThing | undefined {
  const whole = segment.replace(LEADING, '')
  const head = whole.replace(TRAILING, '')
  if (isMarked(head)) return toThing(head, 'key')
  const isWhole = head === whole
  // Half a sentence ("Store events in …") is met in code all the time, and so is "mail server"; "Event sourcing" is
  // not.
  if (/[\s_-]/.test(head))
    return isWhole ? toThing(head, isTelling(pieces(head).at(-1)?.lower ?? '') ? 'key' : 'never') : undefined
  if (isNameIn(context, head)) return toThing(head, 'spelling')
  return isWhole ? toThing(head, 'never') : undefined
}

/**
 * Words inside a sentence that are spelled as names. Where most words have a capital it is only the style of the
 * heading.
 */
function namesInside(segment: string): (NamedThing | undefined)[] {
  const words = segment.split(/\s+/)
  const isHeadingStyle = words.filter((word) => /^\p{Lu}/u.test(word)).length > Math.max(1, words.length / 2)
  return words.map((word, i) => {
    if (isMarked(word)) return toThing(word, 'key')
    return i > 0 && !isHeadingStyle && CAPITALIZED.test(word) ? toThing(word, 'spelling') : undefined
  })
}

const CAPITALIZED = /^\p{Lu}\p{Ll}{2,}$/u

function isNameIn(context: string, word: string): boolean {
  return CAPITALIZED.test(word) && new RegExp(`[\\p{Ll},;(]\\s+${word}(?![\\p{L}\\p{N}])`, 'u').test(context)
}

/** A capital after a small letter, a digit or a dot between letters: no ordinary word is spelled so. */
const isMarked = (word: string): boolean => /^\S*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\d|\p{L}\.\p{L})\S*$/u.test(word)

const isTelling = (word: string): boolean => word.length > 1 && !GENERIC.has(word)

function toThing(spelled: string, inCode: NamedThing['inCode']): NamedThing | undefined {
  const words = pieces(spelled).map((piece) => piece.lower)
  const key = words.join('')
  if (!isTelling(key) || words.length > LONGEST || !(isMarked(spelled) || words.some(isTelling))) return undefined
  return { spelled, key, inCode, packageName: words.length > 1 && words.at(-1) === 'js' ? key.slice(0, -2) : undefined }
}
