import { ellipsis } from '../../../kernel/domain/text.ts'
import { sentencesOf } from '../../../kernel/domain/text/sentences.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import type { Decision } from './decision.ts'
import { isInferred } from './inferred.ts'

type Told = Pick<Decision, 'title' | 'rationale' | 'rejected'>

const LONGEST_SENTENCE = 240
// The rest of a longer rationale is detail; a file in a clone may contain anything.
const LONGEST_RATIONALE = 12_000
const MOST_REJECTED = 4
const LONGEST_NAME = 60

/**
 * The outcome in one line: the sentence that states it, otherwise the title, and the rejected alternatives if the
 * sentence does not name them.
 */
export const outcomeOf = (decision: Told): string =>
  withRejected(decidingSentence(decision) ?? decision.title, decision)

/**
 * Outcome for a place that already shows the title: the deciding sentence, or the reason if there is none. If the title
 * states what is done, the sentence must state the same in full.
 */
export function outcomeBelowTitle(decision: Told): string {
  const paragraphs = decision.rationale.slice(0, LONGEST_RATIONALE).split(/\n\s*\n/)
  const reason = () =>
    visibleLine(paragraphs.find((text) => !ABOUT_THE_FILE.test(text) && !TABLE.test(text)) ?? paragraphs[0] ?? '')
  const isSaid = IMPERATIVE.test(decision.title)
  return withRejected(sentenceDeciding(decision, isSaid ? SHARED_WITH_IMPERATIVE : LEAST_SHARED) ?? reason(), decision)
}

function withRejected(sentence: string, { rejected }: Told): string {
  const line = ellipsis(visibleLine(sentence), LONGEST_SENTENCE)
  const lower = line.toLowerCase()
  const unnamed = rejected
    .filter((one) => !isInferred(one))
    .map(({ name }) => visibleLine(name))
    .filter((name) => !lower.includes(name.toLowerCase()))
  if (unnamed.length === 0) return line
  const names = unnamed.slice(0, MOST_REJECTED).map((name) => ellipsis(name, LONGEST_NAME))
  const more = unnamed.length > MOST_REJECTED ? ` and ${unnamed.length - MOST_REJECTED} more` : ''
  return `${/[.!?…]$/.test(line) || line === '' ? line : `${line}.`} Rejected: ${names.join(', ')}${more}.`.trim()
}

/** The sentence of a rationale that states the action; undefined if the title states it, or no sentence does. */
const decidingSentence = (decision: Told): string | undefined =>
  IMPERATIVE.test(decision.title) ? undefined : sentenceDeciding(decision, LEAST_SHARED)

function sentenceDeciding({ title, rationale }: Told, least: readonly number[]): string | undefined {
  const text = proseOf(rationale.slice(0, LONGEST_RATIONALE))
  const chosen = chosenOption(text)
  if (chosen !== undefined) return chosen
  const words = new Set(wordsOf(title))
  let best: { readonly sentence: string; readonly rank: number } | undefined
  for (const [at, line] of sentencesOf(text).entries()) {
    const sentence = line.replace(ITEM, '').replace(LABEL, '')
    const strength = DECIDES.findIndex((pattern) => pattern.test(sentence))
    const shared = wordsOf(sentence).filter((word) => words.has(word)).length
    if (strength < 0 || shared < least[strength]! || /[?:]$/.test(sentence) || UNDECIDED.test(sentence)) continue
    const rank = Math.min(shared, 3) * 0.6 - strength - at * 0.01
    if (best === undefined || rank > best.rank) best = { sentence, rank }
  }
  return best?.sentence
}

/** "Chosen option: …", with the name of the option if only its letter or number is given. */
function chosenOption(text: string): string | undefined {
  const found = CHOSEN.exec(text)?.[1]
  if (found === undefined) return undefined
  const sentence = sentencesOf(found)[0]!
    .replaceAll(/["“”*]/g, '')
    .replace(/,? because[\s:.…]*$/, '')
  const letter = /^\[?options? ([0-9]+|[a-z])\]?(?=[,.;:]|\s+because|$)/i.exec(sentence)?.[1]
  if (letter === undefined) return sentence.replace(OPTION, '')
  const name = new RegExp(`^(?:#+|[-*+])\\s+\\[?option ${letter}\\b\\]?[\\s:.,–—-]*(\\S.*)$`, 'im').exec(text)?.[1]
  return name === undefined ? undefined : `${name.trim()}${sentence.replace(/^.*?(?=[,.;]|\s+because|$)/i, '')}`
}

/** "Option C - ", "B3: ", "A. " before the name. */
const OPTION = /^(?:\[?options? \w{1,2}\]?|[A-Z]\d?)(?:\s*[:.,–—]|\s+-)\s+/i
const CHOSEN =
  /^[> \t]*(?:[-*+][ \t]+)?\**(?:the )?(?:chosen|selected|preferred|agreed) (?:option|solution|alternative|approach|design|variant)s?\**(?: is)?\s*:\**\s*(\S.*)$/im
const LABEL = /^\**(?:decision|outcome|resolution|conclusion)\**\s*:\**\s*/i

/** Patterns of sentences that decide, the plainest first. */
const DECIDES = [
  /\b(?:we|the team|it was|has been|have been|was|were)\b(?: \w+)? (?:decided|agreed|chosen|chose|selected|settled|opted|picked)\b/i,
  /\b(?:we|the team|I)(?:['’]ll| will| shall| are going to| have adopted| adopt(?:ed)?\b| choose| use\b| go with| went with| switch(?:ed)? to| moved? to| mov(?:e|ing) to| keep| stay with| stick with)/i,
  /\b(?:will|shall) (?:be |not |now |only |always )*(?:use|used|adopt|adopted|become|keep|kept|move|moved|replace|replaced|provide|provided|support|supported|store|stored|have|run|serve|write|written)\b/i,
  /\b(?:instead of|rather than|in favou?r of)\b/i,
  /\b(?:must|is to|are to|should) \w+/i,
] as const
/** Patterns of sentences that only consider an option. */
const UNDECIDED =
  /\b(?:recommended|could|might|would|may|if we|need to decide|needs? to be decided|was considered|were considered|against (?:it|this|that|them)|proposed|until now|previously|so far)\b/i

const IMPERATIVE =
  /^(?:use|using|adopt|add|switch|move|migrate|replace|remove|drop|deprecate|retire|keep|store|stop|start|log|write|run|host|build|serve|split|merge|rename|introduce|implement|create|support|allow|disable|enable|upgrade|convert|refactor|extract|send|show|hide|prefer|avoid|do not|don['’]t|never|always|no|cache|deploy|ship|publish|test|validate|encrypt|sign|index|queue|limit|require|standardi[sz]e|expose|make|put|return|record|transition|share|enforce|separate|combine|generate|define|document|separate|manage|rely|pin|choose|go|let)\b/i

// Minimum number of words a sentence shares with the title, by how clearly it decides.
const LEAST_SHARED = [0, 0, 1, 1, 2] as const
// A title that states the action leaves less to the rationale: another sentence may decide a side issue.
const SHARED_WITH_IMPERATIVE = [2, 2, 3, 3, 99] as const

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []

const ITEM = /^(?:[-*+]|\d{1,3}[.)])\s+/

/** Headings and metadata of an ADR. */
const ABOUT_THE_FILE =
  /^[\s*_>-]*(?:#|status in the source|last modified|related\b|(?:user|technical) story|date|authors?|deciders?)/i

const TABLE = /^\s*\|/

/** Paragraphs and items on a line each, without code, tables, quotations and note headings, which decide nothing. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/^(?:```|~~~)[^]*?^(?:```|~~~)$/gm, '')
    .replaceAll(/^\s*(?:\||>).*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(
      /^\*?(?:status in the source|last modified|related|(?:user|technical) story|date|authors?|deciders?)\b.*$/gim,
      '',
    )
    .replaceAll(/^\s*(?:[-*+] )?\*\*.*$/gm, (line) => (CHOSEN.test(line) || LABEL.test(line) ? line : ''))
    .replaceAll(/(?<=[^\s#])[ \t]*\n(?![ \t]*(?:\n|[-*+#]|\d+[.)]))(?<!^#.*)/gm, ' ')
