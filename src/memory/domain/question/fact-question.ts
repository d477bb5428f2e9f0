import type { FactKind, SessionFact } from '../session/facts.ts'
import type { QuestionTime } from './question-time.ts'

/** A question that facts of sessions can answer: `which file did I change last`, `when did we add zod`. */
export interface FactQuestion {
  readonly kinds: readonly FactKind[]
  /** Undefined if both are wanted. */
  readonly ok?: boolean
  /** Words that the fact must contain, in lower case; none if any fact answers. */
  readonly about: readonly string[]
  readonly order: 'newest' | 'oldest'
  /** Whether the question asks for a single fact, such as the last one. */
  readonly isOne: boolean
}

const WHO = '(?:i|we|you|they|the agent|it|claude|codex)'
const DID = `(?:did|have|has) ${WHO} (?:ever |just |already )?`
const CHANGE =
  '(?:chang(?:e|ed)|edit(?:ed)?|touch(?:ed)?|modif(?:y|ied)|writ(?:e|ten)|wrote|work(?:ed)? on|update[d]?|create[d]?)'
const READ = '(?:read|look(?:ed)? at|open(?:ed)?|view(?:ed)?)'
const ADD = '(?:add(?:ed)?|install(?:ed)?|pull(?:ed)? in|bring in|brought in|start(?:ed)? using)'
const REMOVE = '(?:remove[d]?|uninstall(?:ed)?|dropp?(?:ed)?|delete[d]?|(?:get|got) rid of)'
const PACKAGES = '(?:packages?|dependenc(?:y|ies)|deps|librar(?:y|ies)|modules?)'
const RUN = '(?:run|ran|execute[d]?)'
const FAIL = '(?:fail(?:ed|ing|s)?|went wrong|go wrong|broke|break|errored)'

interface Form {
  readonly pattern: RegExp
  readonly kinds: readonly FactKind[]
  readonly ok?: boolean
}

const form = (pattern: string, kinds: readonly FactKind[], ok?: boolean): Form => ({
  pattern: new RegExp(`^(?:so |and |please |tell me |remind me )*${pattern}$`, 'iu'),
  kinds,
  ...(ok !== undefined && { ok }),
})

/** The end of a question may name its subject: `in the cart`, `about prices`. */
const REST = '(?: (?<about>.+?))?'

const FORMS: readonly Form[] = [
  form(`(?:which|what) (?:other )?(?:source )?files? (?:did|have|has|were|was|got) (?:${WHO} )?${CHANGE}${REST}`, [
    'changed',
  ]),
  form(`(?:which|what) (?:is|was|were) the (?:files?) (?:that )?${WHO} ${CHANGE}${REST}`, ['changed']),
  form(`what (?:did|have) ${WHO} (?:edit(?:ed)?|touch(?:ed)?|modif(?:y|ied))${REST}`, ['changed']),
  form(`what (?:did|have) ${WHO} chang(?:e|ed) (?:in|under|of) (?<about>\\S+/\\S+)`, ['changed']),
  form(`(?:list|show)(?: me)? (?:the |all )?files (?:that )?(?:${WHO} )?${CHANGE}${REST}`, ['changed']),
  form(`(?:which|what) sessions? ${CHANGE} (?:the )?(?<about>\\S+\\.\\w+|\\S+/\\S+)`, ['changed']),
  form(`(?:which|what) files? ${DID}${READ}${REST}`, ['read']),
  form(
    `(?:which|what) (?:new )?${PACKAGES} (?:(?:did|have|has) ${WHO} |(?:were|was|got) )${ADD}${REST}`,
    ['added'],
    true,
  ),
  form(`(?:which|what) ${PACKAGES} (?:(?:did|have|has) ${WHO} |(?:were|was|got) )${REMOVE}${REST}`, ['removed'], true),
  form(`what (?:did|have) ${WHO} install(?:ed)?${REST}`, ['added'], true),
  form(`what (?:did|have) ${WHO} uninstall(?:ed)?${REST}`, ['removed'], true),
  form(`when (?:did|have) ${WHO} (?:first |last )?${ADD} (?:the )?(?<about>.+)`, ['added'], true),
  form(`when was (?:the )?(?<about>.+?) (?:first |last )?${ADD}`, ['added'], true),
  form(`when (?:did|have) ${WHO} (?:first |last )?${REMOVE} (?:the )?(?<about>.+)`, ['removed'], true),
  form(`when was (?:the )?(?<about>.+?) ${REMOVE}`, ['removed'], true),
  form(`when (?:did|have) ${WHO} (?:first |last )?${CHANGE} (?:the )?(?:file )?(?<about>\\S+\\.\\w+|\\S+/\\S+)`, [
    'changed',
  ]),
  form(`when was (?:the )?(?:file )?(?<about>\\S+\\.\\w+|\\S+/\\S+) (?:last |first )?${CHANGE}`, ['changed']),
  form(`when (?:did|have) ${WHO} (?:first |last )?${RUN} (?:the )?(?<about>.+)`, ['command']),
  form(`(?:which|what) (?:shell )?commands? ${DID}${RUN}${REST}`, ['command']),
  form(`what (?:did|have) ${WHO} ${RUN}${REST}`, ['command']),
  form(`(?:which|what) (?:shell )?(?:commands?|tests?|builds?|checks?) ${FAIL}${REST}`, ['command'], false),
  form(`what (?:has |have )?${FAIL}${REST}`, ['command'], false),
  form(
    `(?:what|which) (?:is|was) the (?:last|first|latest) (?:command|test|build|check|thing) (?:that |which )?${FAIL}${REST}`,
    ['command'],
    false,
  ),
  form(`(?:did|has|have|when did) (?:the |our )?(?<about>.+?) (?:ever |last )?${FAIL}`, ['command'], false),
  form(`(?:which|what) (?<about>\\S+(?: \\S+){0,3}) ${FAIL}`, ['command'], false),
  form(
    `(?:which|what) tests? (?:(?:did|have|has) ${WHO} |(?:were|was|got) )(?:fix(?:ed)?|repair(?:ed)?)${REST}`,
    ['tests'],
    true,
  ),
  form(
    `(?:which|what) (?:commits? )?(?:(?:did|have|has) ${WHO} |(?:were|was|got) )(?:commit(?:ted)?|ma(?:de|ke))${REST}`,
    ['commit'],
    true,
  ),
  form(`(?:which|what) (?:is|was|were) (?:the |our |my )?(?:last |latest )?commits?${REST}`, ['commit'], true),
  form(`when (?:did|have) ${WHO} (?:last )?commit(?:ted)?(?: (?<about>.+))?`, ['commit'], true),
  form(
    `(?:which|what) branch(?:es)? (?:(?:did|have|has) ${WHO} |(?:were|was) )(?:create[d]?|start(?:ed)?|make|made)${REST}`,
    ['branch'],
    true,
  ),
]

const LONGEST = 300

/** Undefined if the question is about something that tool calls do not record, such as a reason. */
export function factQuestion(text: string, time: QuestionTime | undefined): FactQuestion | undefined {
  if (text.length > LONGEST) return undefined
  const asked = (time?.rest ?? text)
    .replace(/[?.!\s]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  for (const { pattern, kinds, ok } of FORMS) {
    const found = pattern.exec(asked)
    if (found === null) continue
    const isFirst = /\bfirst\b/i.test(text)
    const isLast = /\b(?:last|latest|most recently)\b/i.test(text) && time?.span === undefined
    const about = wordsOf(found.groups?.['about'] ?? '')
    const isWhen = /^\W*when\b/i.test(asked)
    return {
      kinds,
      ...(ok !== undefined && { ok }),
      about,
      // A question about an added package asks for the first time; any other asks for the most recent one.
      order: isFirst || time?.order === 'oldest' || (isWhen && kinds[0] === 'added' && !isLast) ? 'oldest' : 'newest',
      isOne: isWhen || isLast || isFirst || time?.order !== undefined,
    }
  }
  return undefined
}

const FRAME = new Set(
  'a an the of in on to for with from at into this that these those our my project repo repository here there it file files package packages dependency dependencies library command commands session sessions test tests lately recently far so again with by about when we i'.split(
    ' ',
  ),
)

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^["'`(]+|["'`),:;]+$/g, ''))
    .filter((word) => word !== '' && !FRAME.has(word))

/**
 * Number of words of the question that a fact contains; undefined if the fact does not answer it. Ignores the fact's
 * time.
 */
export function sharedWords({ kinds, ok, about }: FactQuestion, fact: SessionFact): number | undefined {
  if (!kinds.includes(fact.kind) || (ok !== undefined && fact.ok !== ok)) return undefined
  const text = fact.what.toLowerCase()
  const shared = about.filter((word) => text.includes(word) || text.includes(stemOf(word))).length
  return shared * 2 < about.length ? undefined : shared
}

const stemOf = (word: string): string => (word.length < 6 ? word : word.replace(/(?:(.)\1)?(?:ing|ed|s)$/, '$1'))
