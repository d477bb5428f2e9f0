import type { RejectedAlternative } from '../decision/decision.ts'
import { inferredReason } from '../decision/inferred.ts'
import { KNOWN_NAMES, mentionsIn } from '../names/mentions.ts'
import { ellipsis, strip } from '../text.ts'
import { chosenPart, likeness, plainSentences, words } from './adr-choice.ts'
import type { Section } from './adr-sections.ts'
import { plainText } from './markdown.ts'

const LONGEST_SENTENCE = 300
const MOST_WORDS = 5
const SAME = 0.5

/**
 * Alternatives that a sentence rejects in passing: "instead of Fastify", "Fastify was ruled out". All inferred: a
 * sentence may mean something else. `known` are the options that were read elsewhere, chosen or rejected.
 */
export function rejectedInProse(
  title: string,
  sections: readonly Section[],
  known: readonly string[],
): RejectedAlternative[] {
  const reasons = sections.filter(({ kind, heading }) => kind === 'decision' || REASONS.test(plainText(heading)))
  const others = sections.filter(({ kind }) => kind === 'context' || kind === 'other')
  const weighing = sections.filter(({ kind }) => WEIGHING.has(kind))
  const sentences = [plainText(title), ...reasons.flatMap(({ text }) => plainSentences(text))]
  const found = [
    ...sentences.flatMap((sentence) => rejectionsIn(sentence, [...PREFERRED, ...DROPPED])),
    ...others
      .flatMap(({ text }) => plainSentences(text).filter((sentence) => DECIDES.test(sentence)))
      .flatMap((sentence) => rejectionsIn(sentence, PREFERRED)),
    ...weighing.flatMap(({ text }) => plainSentences(text).flatMap((sentence) => rejectionsIn(sentence, DROPPED))),
  ]
  const chosen = sentences.flatMap((sentence) => chosenPart(sentence) ?? []).map(words)
  const taken = known.map(words)
  return found.flatMap(({ name, sentence }) => {
    const key = words(name)
    if (chosen.some((part) => ` ${part} `.includes(` ${key} `))) return []
    if (taken.some((other) => likeness(other, key) >= SAME)) return []
    taken.push(key)
    return [{ name, reason: inferredReason(ellipsis(sentence, LONGEST_SENTENCE), '') }]
  })
}

/** Outside of the decision only a sentence that decides can reject. */
const DECIDES = /\b(?:we|team|it was|has been)\b(?: \w+){0,2} (?:decided|chose|chosen|opted|agreed|selected|adopted)\b/i
const REASONS = /^(?:rationale|reason(?:s|ing)?|justification|argument|why\b.*|motivation)$/i
const WEIGHING: ReadonlySet<Section['kind']> = new Set(['alternatives', 'options', 'rejected', 'consequences'])

/** The text behind (or before) each is what was not taken. */
const PREFERRED = [
  /\b(?:instead of|rather than|in place of|as opposed to|in lieu of)\s+(.+)/i,
  /\b(?:chose|choose|chosen|select(?:ed)?|pick(?:ed)?|prefer(?:red|s)?|favou?r(?:ed|s)?|opted|adopt(?:ed)?|use|go|went|decided)\b[^.;]{0,80}?\bover\s+(.+)/i,
  /\b(?:mov(?:e|ed|ing)|migrat(?:e|ed|ing)|switch(?:ed|ing)?|transition(?:ed|ing)?) (?:away )?from\s+(.+?)(?=\s+to\b|$)/i,
  /\breplac(?:e|es|ed|ing)\s+(.+?)\s+(?:with|by)\b/i,
] as const
const DROPPED = [
  /\b(?:decided against|opted against|ruled out|rejected|discarded|dismissed|stop using|no longer use|will not use|won't use|not to use|to not use)\s+(.+)/i,
  /\b(?:considered|evaluated|looked (?:at|into)|explored|investigated|tried)\s+(.+?)(?=,? (?:but|however)\b)/i,
  /^(?:.*?,\s+)?(.+?)\s+(?:was|were|is|are|has been|have been) (?:also )?(?:rejected|ruled out|discarded|dismissed|(?:considered|evaluated|explored|investigated)\b[^.]{0,30}\b(?:but|however)\b)/i,
] as const

function rejectionsIn(sentence: string, patterns: readonly RegExp[]): { name: string; sentence: string }[] {
  return patterns.flatMap((pattern) => namesAt(pattern.exec(sentence)?.[1] ?? '').map((name) => ({ name, sentence })))
}

const END =
  /[.;:!?(]|\s[–—-]\s|,? \b(?:because|since|as|for|to|in|on|at|when|which|that|so|but|due|if|while|where|with|by|from|is|are|was|were|would|will|can|could|than|after|before|until|given|being|has|have|had|it|we|they|this)\b/i
const LEAD =
  /^(?:(?:using|use of|the use of|relying on|adopting|having|to use|building|an?|the|our|its|their|both|either|existing|current|old|previous|plain|just|only|e\.g\.|traditional|simply)\s+)+/i

/** The things that a passage begins with; none if it does not begin with a name or a short noun phrase. */
function namesAt(passage: string): string[] {
  const phrase = passage.slice(0, END.exec(passage)?.index)
  return phrase
    .split(/,\s*(?:and|or)\s+|,\s*|\s+(?:or|and|nor)\s+/)
    .map((part) => strip(part.replace(LEAD, '').replace(/["“”'*]/g, '')).replace(/^`([^`]+)`$/, '$1'))
    .filter(isName)
}

function isName(part: string): boolean {
  const count = part.split(/\s+/).length
  if (part.length < 2 || count > MOST_WORDS || NO_NAME.test(part)) return false
  return /[A-Z0-9_`./-]/.test(part.slice(0, 1)) || /\S[A-Z_`.]/.test(part) || mentionsIn(part, KNOWN_NAMES).length > 0
}

const NO_NAME =
  /^(?:it|them|that|this|these|those|one|ones|other|others|another|all|any|both|everything|anything|something|I|we|you|they|he|she)\b|^\w+ing$/i
