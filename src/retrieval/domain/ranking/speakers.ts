import { openTokenCounter, type QueryTerm } from '../../../kernel/domain/text/analyse.ts'
import { QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'

/** Lines of a text, 1-based, both ends inclusive. */
interface LineRange {
  readonly startLine: number
  readonly endLine: number
}

export interface WeighedTerm extends QueryTerm {
  readonly weight: number
  /** Whether any indexed text has the term. */
  readonly isIndexed: boolean
}

/** What a conversation contains about the person named in a question, and about the other speakers. */
export interface PersonEvidence {
  readonly person: string
  /**
   * Share of the query's weight in the sentences about the person minus that in sentences about others, summed over the
   * sentences near the hit.
   */
  readonly lead: number
}

interface Turn extends LineRange {
  readonly speaker: string
  readonly text: string
}

/** Turns on either side of a hit that count; from 1 to all turns LoCoMo differs by a few cases. */
const TURNS_AROUND = 8
/** In characters. A longer text is not read for speakers. */
const LONGEST = 2_000_000
/** In characters: bounds the time, because each sentence near a hit is read for each word of the query. */
const LONGEST_NEAR = 30_000
const MOST_TERMS = 40
/** A query with more capitalised words is a pasted page rather than a question about a person. */
const MOST_NAMES = 30

/** Words of a query that may be names of people. */
export function namesIn(query: string): ReadonlySet<string> {
  const names = [...wordsOf(query)].filter((word) => /^\p{Lu}/u.test(word) && !QUERY_STOP_WORDS.has(word.toLowerCase()))
  return new Set(names.length > MOST_NAMES ? [] : names)
}

/**
 * Compares what a conversation contains about the one speaker named in a question with what it contains about others:
 * "I" is the speaker of the turn, "you" the one spoken to. Undefined if the text is not a conversation of people with
 * names, or the question names none of them, or several.
 */
export function personEvidence(
  text: string,
  hit: LineRange,
  query: { readonly names: ReadonlySet<string>; readonly terms: readonly WeighedTerm[] },
): PersonEvidence | undefined {
  if (text.length > LONGEST || query.terms.length > MOST_TERMS || !mayBeSpeakers(query.names, text)) return undefined
  const turns = namedTurns(text)
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))]
  const [person, ...others] = speakers.filter((name) => query.names.has(firstOf(name)))
  // A label that is also a plain word here, such as "Error:" or "Question:", is not a name.
  if (person === undefined || others.length > 0 || wordsOf(text).has(firstOf(person).toLowerCase())) return undefined
  // Names are in every turn, so they do not distinguish.
  const content = query.terms.filter(({ word }) => speakers.every((name) => !wordsOf(word).has(firstOf(name))))
  const whole = content.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return undefined
  const near = around(turns, hit)
  if (near.reduce((sum, at) => sum + turns[at]!.text.length, 0) > LONGEST_NEAR) return undefined
  const counters = content
    .filter(({ isIndexed }) => isIndexed)
    .map(({ term, parts, weight }) => ({ weight, count: openTokenCounter([term, ...parts]) }))
  const coverage = (sentence: string): number =>
    counters.reduce((sum, { count, weight }) => sum + (count(sentence) > 0 ? weight : 0), 0) / whole
  const lead = near
    .flatMap((at) => sentencesOf(turns, at))
    .reduce((sum, { subject, sentence }) => sum + (subject === person ? 1 : -1) * coverage(sentence), 0)
  return { person, lead }
}

/** Whether a line may begin with one of the names as a label: most texts are ruled out by this alone. */
const mayBeSpeakers = (names: ReadonlySet<string>, text: string): boolean =>
  new RegExp(
    `^(?:\\[[^\\]\n]{1,30}\\] )?(?:\\*\\*)?(?:${[...names].join('|')})(?: [^:\n]{1,70})?(?::|\\*\\*:)`,
    'mu',
  ).test(text)

/** `Anna: …`, `**Anna Berg:** …`, `[10:32] Anna: …`. */
const LABEL =
  /^(?:\[[^\]]{1,30}\] )?(?:\*\*)?(\p{Lu}[\p{L}\p{N}'’.-]{1,30}(?: \p{Lu}[\p{L}\p{N}'’.-]{0,30}){0,2})(?::\*\*|\*\*:|:)[ \t]+(?=\S)/u

/**
 * Turns that begin with the name of their speaker; empty unless that is the form of most of the text, and people talk
 * in it: a log or a table of facts has labels too.
 */
function namedTurns(text: string): readonly Turn[] {
  const turns: { speaker: string; startLine: number; endLine: number; lines: string[] }[] = []
  const lines = text.split('\n')
  let blocks = 0
  let isInBlock = false
  for (const [at, line] of lines.entries()) {
    const isBlank = line.trim() === '' || line.startsWith('#')
    if (!isBlank && !isInBlock) blocks++
    isInBlock = !isBlank
    if (isBlank) continue
    const label = LABEL.exec(line)
    const turn = turns.at(-1)
    if (label !== null)
      turns.push({ speaker: label[1]!, startLine: at + 1, endLine: at + 1, lines: [line.slice(label[0].length)] })
    else if (turn !== undefined) {
      turn.lines.push(line)
      turn.endLine = at + 1
    }
  }
  const counts = Map.groupBy(turns, ({ speaker }) => speaker)
  // A label that occurs once, such as "Note:", is not a speaker.
  const said = turns.filter(({ speaker }) => counts.get(speaker)!.length > 1)
  const speakers = new Set(said.map(({ speaker }) => speaker))
  const named = said.map(({ lines: own, ...turn }): Turn => ({ ...turn, text: own.join('\n') }))
  const talking = named.filter((turn) => SPEAKER.test(turn.text) || ADDRESSEE.test(turn.text))
  return speakers.size < 2 || said.length * 2 < blocks || talking.length * 3 < said.length ? [] : named
}

/** People are called by the first word of their name. Case matters, because many names are words. */
const firstOf = (name: string): string => name.split(' ')[0]!

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(/[^\p{L}\p{N}'’.-]+/u).map((word) => word.replace(/(?:['’]s)?[.'’-]*$/u, '')))

/** 0-based turns near the lines of a hit. */
function around(turns: readonly Turn[], { startLine, endLine }: LineRange): readonly number[] {
  const met = turns.flatMap((turn, at) => (turn.endLine >= startLine && turn.startLine <= endLine ? [at] : []))
  if (met.length === 0) return []
  const [first, last] = [met[0]! - TURNS_AROUND, met.at(-1)! + TURNS_AROUND]
  return [...turns.keys()].filter((at) => at >= first && at <= last)
}

// Only English words, because the figures are those of English conversations; in another language a sentence is about
// its speaker, a question about the one who is asked.
const SPEAKER = /\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b/i
const ADDRESSEE = /\b(?:you|your|yours|yourself|yourselves)\b/i

/** Sentences of a turn with the person that each is about. */
function sentencesOf(turns: readonly Turn[], at: number): { readonly subject: string; readonly sentence: string }[] {
  const { speaker, text } = turns[at]!
  const other =
    turns.slice(0, at).findLast((turn) => turn.speaker !== speaker) ??
    turns.slice(at).find((turn) => turn.speaker !== speaker)
  return text.split(/(?<=[.!?…])\s+|\n+/u).map((sentence) => {
    const [own, theirs] = [sentence.search(SPEAKER), sentence.search(ADDRESSEE)]
    const isAboutOther = own < 0 && theirs < 0 ? sentence.endsWith('?') : theirs >= 0 && (own < 0 || theirs < own)
    return { subject: isAboutOther ? other!.speaker : speaker, sentence }
  })
}
