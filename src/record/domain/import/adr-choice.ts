import { head, strip } from '../../../kernel/domain/text.ts'
import { outsideFences } from '../../../kernel/domain/text/markdown-fences.ts'
import { plainText } from '../../../kernel/domain/text/markdown.ts'
import { sentencesOf } from '../../../kernel/domain/text/sentences.ts'

/** The listed options that an ADR chose. */
export interface Choice {
  readonly chosen: ReadonlySet<number>
  /** True if a sentence names exactly these as chosen; otherwise they were only recognised by likeness. */
  readonly isStated: boolean
  /** The sentence that names the choice. */
  readonly sentence: string
  /** True if "Chosen option:" precedes the name of an option and nothing else, so that no other sentence matters. */
  readonly isLabelled: boolean
}

export interface Said {
  readonly title: string
  /** The text of the decision sections. */
  readonly outcome: string
}

// Share of common words above which two wordings of one option count as the same, and the required lead of the best.
const ALIKE = 0.5
const APART = 0.2
// Limited because each sentence is compared with every option.
const MOST_SENTENCES = 300

/** Undefined if the text does not state which option was chosen. An option named in the title is always chosen. */
export function findChoice(given: readonly (readonly string[])[], { title, outcome }: Said): Choice | undefined {
  const names = given.map((own) => own.map(words))
  const inTitle = some(namedIn(names, chosenPart(plainText(title)) ?? ''), names)
  const found = statedChoices(names, outcome)
  const [first] = found
  if (first !== undefined) {
    const chosen = found.reduce((all, each) => union(all, each.chosen), inTitle)
    if (chosen.size === names.length) return undefined
    return {
      chosen,
      sentence: first.sentence,
      isStated: found.every((each) => each.isExact),
      isLabelled: found.some((each) => each.isSame && LABELLED.test(each.sentence)),
    }
  }
  const guessed = inTitle.size > 0 ? { chosen: inTitle, sentence: plainText(title) } : guessedChoice(names, outcome)
  return guessed && { ...guessed, isStated: false, isLabelled: false }
}

/** The parts of title and decision that state a choice. */
export const chosenParts = ({ title, outcome }: Said): string[] =>
  [plainText(title), ...plainSentences(outcome).slice(0, MOST_SENTENCES)].flatMap(
    (sentence) => chosenPart(sentence) ?? [],
  )

function statedChoices(names: readonly (readonly string[])[], outcome: string): (Match & { sentence: string })[] {
  return plainSentences(outcome)
    .slice(0, MOST_SENTENCES)
    .flatMap((sentence) => {
      const part = chosenPart(sentence)
      if (part === undefined) return []
      const match = matched(names, part, LABELLED.test(sentence))
      return match.chosen.size > 0 && match.chosen.size < names.length ? [{ ...match, sentence }] : []
    })
}

/**
 * The fallback if no sentence states the choice: the options that the first paragraph names, unless it weighs them
 * against each other.
 */
function guessedChoice(
  names: readonly (readonly string[])[],
  outcome: string,
): Pick<Choice, 'chosen' | 'sentence'> | undefined {
  const paragraph = plainText(head(strip(outcome).split(/\n\s*\n/)[0] ?? '', LONGEST_SENTENCE))
  if (WEIGHS.test(paragraph)) return undefined
  const chosen = some(namedIn(names, paragraph), names)
  return chosen.size === 0 ? undefined : { chosen, sentence: sentencesOf(paragraph)[0] ?? paragraph }
}

const WEIGHS =
  /\b(?:not|never|instead|rather|reject\w*|against|unlike|over|than|stop|no longer|away from|without|deprecat\w*|remov\w*|drop\w*|avoid\w*|abandon\w*|replac\w*)\b|n't\b/i
const LABELLED =
  /\b(?:chosen|selected|preferred|agreed|final|winning) (?:option|alternative|solution|approach|design|choice|tool|variant)s?\b[\s*_]*(?:(?:is|are|was|were|will be)\b)?[\s:*_–—-]*(?=\S)/i
const DECIDED =
  /\b(?:decided|choose|chose|chosen|opted|agreed|adopted|selected?|picked?|settled|going|go|went)\b(?: (?:on|for|to|with|upon|that|we|it|is|was|will|should|ahead|be|use|using|used|adopt|keep|implement|the))*(?= )/i
const WILL =
  /\b(?:will|'ll|shall|should|must|are going to|is going to)\b(?: (?:be|now|always|only|also|initially|continue|to))*? (?:us(?:e|ing)|adopt\w*|keep\w*|go(?:ing)? with|implement\w*|stick with|stay with|rely on|build|introduce|deploy|migrate to|switch(?:ing)? to|mov(?:e|ing) to|replace \S+ with)\b/i
const IMPERATIVE =
  /^(?:decision:\s*)?(?:we )?(?:use|using|adopt|adopting|go with|keep|implement|choose|chose|pick|switch to|migrate to|move to|stick with|stay with|continue (?:with|using|to use)|introduce|run|host|deploy|build|store|write)\b/i
const PASSIVE =
  /\b(?:is|was|were|are|has been|have been|will be)\b(?: \w+)?? (?:chosen|selected|picked|adopted|used|preferred|(?:our|the) (?:choice|chosen|selected|preferred))\b/i
const TURN =
  /\b(?:instead of|rather than|over(?! time)|than|compared|unlike|versus|vs|because|since|as (?:it|this|they|we|there)|due to|given|so that|in order|to avoid|but|although|while|whereas|which (?:is|was|means)|despite|in place of|away from|without|stop(?:ping)? using|no longer|replac(?:e|es|ing)|remov(?:e|es|ing)|dropping|deprecat(?:e|es|ing)|not|never)\b|n't\b|;|\s[–—]\s/i
const REASON = /,?\s*\b(?:because|since|instead of|rather than)\b|;/i

/** The part of a sentence that names the choice; undefined if it does not choose. */
export function chosenPart(sentence: string): string | undefined {
  const labelled = LABELLED.exec(sentence)
  // A label is followed by the name itself, which may contain any word.
  if (labelled !== null && !/\bnot? (?:the )?$/i.test(sentence.slice(0, labelled.index)))
    return upTo(sentence.slice(labelled.index + labelled[0].length), REASON)
  const passive = PASSIVE.exec(sentence)
  const active = IMPERATIVE.exec(sentence) ?? WILL.exec(sentence) ?? DECIDED.exec(sentence)
  if (passive !== null && (active === null || passive.index <= active.index)) {
    const before = sentence.slice(0, passive.index)
    return /\bnot\b|n't/i.test(passive[0]) ? undefined : before.slice(lastClause(before))
  }
  if (
    active === null ||
    /\b(?:not|never|would|could|might|if we|yet to)\b[^,]*$|n't\b[^,]*$/i.test(sentence.slice(0, active.index))
  )
    return undefined
  const rest = sentence.slice(active.index + active[0].length)
  return /^\s*(?:against|not|to not|between|whether|how|what|which)\b/i.test(rest) ? undefined : upTo(rest, TURN)
}

const lastClause = (text: string): number => Math.max(text.lastIndexOf(', ') + 1, text.lastIndexOf('; ') + 1)

const upTo = (text: string, end: RegExp): string => text.slice(0, end.exec(text)?.index)

interface Match {
  readonly chosen: ReadonlySet<number>
  /** True if matched by name, not by similarity. */
  readonly isExact: boolean
  /** True if the part is only the name. */
  readonly isSame?: boolean
}

/** Options named in the part, otherwise the option whose name contains all of it, otherwise the most similar one. */
function matched(names: readonly (readonly string[])[], part: string, isLabelled: boolean): Match {
  const quoted = words(/^\W*?(?:"([^"]{2,})"|“([^”]{2,})”|«([^»]{2,})»)/.exec(part)?.slice(1).join('') ?? '')
  // A name may contain quotes, so the whole part is compared first.
  const whole = indexes(names, (keys) => keys.includes(words(part)))
  const same = whole.length === 1 ? whole : indexes(names, (keys) => keys.includes(quoted || words(part)))
  if (same.length === 1) return { chosen: new Set(same), isExact: true, isSame: true }
  const inside = namedIn(names, quoted || part)
  if (inside.size > 0) return { chosen: inside, isExact: true }
  const short = quoted || words(part)
  const holding = indexes(names, (keys) => short.length > 2 && ` ${keys[0]!} `.includes(` ${short} `))
  if (holding.length > 0) return { chosen: new Set(holding), isExact: holding.length === 1 }
  // Without a label the sentence is more than a name, and shares words with all options.
  if (!isLabelled) return { chosen: new Set(), isExact: false }
  const [best, second] = names
    .map((keys, index) => ({
      index,
      score: Math.max(likeness(short, keys[0]!), coverage(short, keys[0]!)),
    }))
    .sort((a, b) => b.score - a.score)
  const isClear = best !== undefined && best.score >= ALIKE && best.score - (second?.score ?? 0) >= APART
  return { chosen: new Set(isClear ? [best.index] : []), isExact: false }
}

const indexes = <T>(all: readonly T[], test: (one: T) => boolean): number[] =>
  all.flatMap((one, i) => (test(one) ? [i] : []))

/** Empty if all options are found: that is a list, not a choice. */
const some = (found: ReadonlySet<number>, names: readonly unknown[]): ReadonlySet<number> =>
  found.size < names.length ? found : new Set()

const union = (a: ReadonlySet<number>, b: ReadonlySet<number>): ReadonlySet<number> => new Set([...a, ...b])

/**
 * The options that a text names, by any of their names. The longest names are matched first and removed from the text:
 * "do not emphasize" does not mention "emphasize".
 */
function namedIn(names: readonly (readonly string[])[], text: string): Set<number> {
  const found = new Set<number>()
  let said = ` ${words(text)} `
  const all = names.flatMap((own, i) => [...new Set(own)].map((key) => ({ i, key })))
  const owners = Map.groupBy(all, ({ key }) => key)
  const keys = all
    .filter(({ key }) => key.length > 1 && owners.get(key)!.length === 1)
    .sort((a, b) => b.key.length - a.key.length)
  for (const { i, key } of keys) {
    if (!said.includes(` ${key} `)) continue
    found.add(i)
    said = said.replaceAll(` ${key} `, '  ')
  }
  return found
}

/** 1 if one contains all words of the other in order, else the share of common words. */
export function likeness(a: string, b: string): number {
  if (a !== '' && b !== '' && (` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `))) return 1
  const left = new Set(a.split(' '))
  const right = new Set(b.split(' '))
  const shared = [...left].filter((word) => right.has(word)).length
  return shared / (left.size + right.size - shared)
}

/** The share of the words of a short wording that occur in a longer one. */
function coverage(short: string, long: string): number {
  const all = short.split(' ').filter((word) => word.length > 2)
  const has = new Set(long.split(' '))
  return all.length < 2 ? 0 : all.filter((word) => has.has(word)).length / all.length
}

export const words = (text: string): string =>
  plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

// Characters; anything longer is not a sentence, and patterns that look for a verb in it take quadratic time.
const LONGEST_SENTENCE = 1_000

/** The sentences of a text outside code, headings and tables, without markup; wrapped lines are joined. */
export function plainSentences(text: string): string[] {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  return lines
    .map((line, i) => (open[i] && !/^\s*(?:#{1,6}\s|\||>|<!--)/.test(line) ? line : ''))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '\n'))
    .join('\n')
    .replace(/(?<=\S)\n(?=\S)/g, ' ')
    .split(/\n+/)
    .flatMap((paragraph) => sentencesOf(plainText(paragraph)))
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE)
}
