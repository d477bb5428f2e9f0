import { ellipsis, strip } from '../../../kernel/domain/text.ts'
import { plainText } from '../../../kernel/domain/text/markdown.ts'
import type { RejectedAlternative } from '../decision/decision.ts'
import { inferredReason } from '../decision/inferred.ts'
import { KNOWN_NAMES, mentionsIn } from '../names/mentions.ts'
import { chosenPart, likeness, plainSentences, words } from './adr-choice.ts'
import type { Section } from './adr-sections.ts'

const LONGEST_SENTENCE = 300
const MOST_WORDS = 5
const SAME = 0.5
const MOST = 40
// Number of sentences; further down a decision describes how it is done, and "instead of" may compare anything.
const OPENING = 4

/**
 * Alternatives that a sentence rejects in passing: "instead of Fastify", "Fastify was ruled out". All are inferred,
 * because a sentence may mean something else. `known` are the options found elsewhere, chosen or rejected.
 */
export function rejectedInProse(
  title: string,
  sections: readonly Section[],
  known: readonly string[],
): RejectedAlternative[] {
  const sentencesOf = (test: (section: Section) => boolean): string[] =>
    sections.filter(test).flatMap(({ text }) => plainSentences(text))
  const isReason = ({ kind, heading }: Section): boolean => kind === 'decision' || REASONS.test(plainText(heading))
  const reasons = sentencesOf(isReason)
  const opening = sections.filter(isReason).flatMap(({ text }) => plainSentences(text).slice(0, OPENING))
  const others = sentencesOf(({ kind }) => kind === 'context' || kind === 'other')
  const weighing = sentencesOf(({ kind }) => WEIGHING.has(kind))
  const own = [plainText(title), ...reasons]
  const deciding = [...reasons, ...others].filter((sentence) => DECIDES.test(sentence))
  const found = [
    ...[plainText(title), ...opening, ...deciding].flatMap((sentence) => rejectionsIn(sentence, PREFERRED)),
    ...[...own, ...weighing].flatMap((sentence) => rejectionsIn(sentence, DROPPED)),
  ]
  const chosen = own.flatMap((sentence) => chosenPart(sentence) ?? []).map(words)
  const taken = known.map(words)
  return found.slice(0, MOST).flatMap(({ name, sentence }) => {
    const key = words(name)
    if (chosen.some((part) => ` ${part} `.includes(` ${key} `))) return []
    if (taken.some((other) => likeness(other, key) >= SAME)) return []
    taken.push(key)
    return [{ name, reason: inferredReason(ellipsis(sentence, LONGEST_SENTENCE), '') }]
  })
}

/** Outside the opening of the decision, only a deciding sentence can reject. */
const DECIDES = /\b(?:we|team|it was|has been)\b(?: \w+){0,2} (?:decided|chose|chosen|opted|agreed|selected|adopted)\b/i
const REASONS = /^(?:rationale|reason(?:s|ing)?|justification|argument|why\b.*|motivation)$/i
const WEIGHING: ReadonlySet<Section['kind']> = new Set(['alternatives', 'options', 'rejected', 'consequences'])

/** The text after each phrase is the rejected option. */
const PREFERRED = [
  /\b(?:instead of|rather than|in place of|as opposed to|in lieu of)\s+(.+)/i,
  /\b(?:chose|choose|chosen|select(?:ed)?|pick(?:ed)?|prefer(?:red|s)?|favou?r(?:ed|s)?|opted|adopt(?:ed)?|use|go|went|decided)\b[^.;]{0,80}?\bover\s+(.+)/i,
  /\b(?:mov(?:e|ed|ing)|migrat(?:e|ed|ing)|switch(?:ed|ing)?|transition(?:ed|ing)?) (?:away )?from\s+(.+?)(?=\s+to\b|$)/i,
  /\breplac(?:e|es|ed|ing)\s+(.+?)\s+(?:with|by)\b/i,
] as const
/** The captured text is the rejected option; a pattern anchored at the start captures it before the verb. */
const DROPPED = [
  /\b(?:decided against|opted against|ruled out|rejected|discarded|dismissed|stop using|no longer use|will not use|won't use|not to use|to not use)\s+(.+)/i,
  /\b(?:considered|evaluated|looked (?:at|into)|explored|investigated|tried)\s+(.+?)(?=,? (?:but|however)\b)/i,
  /^(?:.*?,\s+)?(.+?)\s+(?:was|were|is|are|has been|have been) (?:also )?(?:rejected|ruled out|discarded|dismissed|(?:considered|evaluated|explored|investigated)\b[^.]{0,30}\b(?:but|however)\b)/i,
] as const

function rejectionsIn(sentence: string, patterns: readonly RegExp[]): { name: string; sentence: string }[] {
  return patterns.flatMap((pattern) => {
    const passage = pattern.exec(sentence)?.[1] ?? ''
    // A subject must be a complete name; an object may be followed by anything.
    const isSubject = pattern.source.startsWith('^')
    const isCut = isSubject && END.test(passage.replace(/\s*\([^)]*\)$/, ''))
    return (isCut ? [] : namesAt(passage)).map((name) => ({ name, sentence }))
  })
}

const END =
  /[;:!?()]|\.(?=\s|$)|\s[–—-]\s|,? \b(?:because|since|as|for|to|in|on|at|when|which|that|so|but|due|if|while|where|with|by|from|is|are|was|were|would|will|can|could|than|after|before|until|given|being|has|have|had|it|we|they|this)\b/i
const LEAD =
  /^(?:(?:using|use of|the use of|relying on|adopting|having|to use|building|an?|the|our|its|their|both|either|existing|current|old|previous|plain|just|only|e\.g\.|traditional|simply)\s+)+/i

/** The names that a passage begins with; none if it does not begin with a name. */
function namesAt(passage: string): string[] {
  const phrase = passage.slice(0, END.exec(passage)?.index)
  return phrase
    .split(/,\s*(?:and|or)\s+|,\s*|\s+(?:or|and|nor)\s+/)
    .map((part) => strip(part.replace(LEAD, '').replace(/["“”'*]/g, '')).replace(/^`([^`]+)`$/, '$1'))
    .filter(isName)
}

function isName(part: string): boolean {
  const count = part.split(/\s+/).length
  if (part.length < 2 || count > MOST_WORDS || NO_NAME.test(part) || !/\p{L}{2}/u.test(part)) return false
  return /[A-Z0-9_`./-]/.test(part.slice(0, 1)) || /\S[A-Z_`.]/.test(part) || mentionsIn(part, KNOWN_NAMES).length > 0
}

const NO_NAME =
  /^(?:it|them|that|this|these|those|one|ones|other|others|another|all|any|both|everything|anything|something|I|we|you|they|he|she|in|on|at|by|for|with|from|essentially)\b|^\S+ing\b|^(?:option|alternative|approach) \w{1,3}$/i
