import { ellipsis, strip } from '../../../kernel/domain/text.ts'
import { plainReason, plainText, splitBlocks } from '../../../kernel/domain/text/markdown.ts'
import type { RejectedAlternative } from '../decision/decision.ts'
import { inferredReason } from '../decision/inferred.ts'
import { LIMITS } from '../decision/screening.ts'
import { type Choice, type Said, chosenParts, findChoice, likeness, plainSentences, words } from './adr-choice.ts'
import { type Option, nameTokens, readList } from './adr-option-list.ts'
import type { Section } from './adr-sections.ts'
import { NO_REASON, isHeldOpen } from './nygard.ts'

export interface OptionsReading {
  readonly rejected: readonly RejectedAlternative[]
  /** Names of the chosen options. */
  readonly chosen: readonly string[]
  /** The text of each parsed section that did not become a rejected alternative. */
  readonly leftover: ReadonlyMap<Section, string>
}

/**
 * Turns options that were not chosen into rejected alternatives. They count as stated if a sentence or a mark names the
 * choice, otherwise as inferred; if the choice is unclear, or an option is postponed, nothing is claimed. A section
 * that is fully covered by stated alternatives is removed from the text; every other section stays.
 */
export function readOptions(sections: readonly Section[], title: string): OptionsReading {
  const of = (...kinds: Section['kind'][]): Section[] => sections.filter((s) => kinds.includes(s.kind))
  const said: Said = {
    title,
    outcome: of('decision')
      .map((s) => s.text)
      .join('\n\n'),
  }
  const readings = [
    ...of('rejected').map(takeRejected),
    ...of('alternatives').map((section) => takeAlternatives(section, said)),
    weigh(of('options', 'option'), of('arguments'), said),
    ...of('considered').map((section) => weighInferred(section, said)),
  ]
  return {
    rejected: readings.flatMap((reading) => reading?.rejected ?? []),
    chosen: readings.flatMap((reading) => reading?.chosen ?? []),
    leftover: new Map(readings.flatMap((reading) => [...(reading?.leftover ?? [])])),
  }
}

/** Under a "rejected" heading everything named was rejected. */
function takeRejected(section: Section): OptionsReading | undefined {
  const { options, rest } = readList(section.text)
  if (options.length === 0 || options.some((o) => o.name === '')) return undefined
  return { rejected: options.map(toRejected), chosen: [], leftover: new Map([[section, rest]]) }
}

/** Under "alternatives" the list may not contain the choice; all of them are then inferred to be rejected. */
function takeAlternatives(section: Section, said: Said): OptionsReading | undefined {
  const { options, rest } = readList(section.text)
  if (options.length === 0 || options.some((o) => o.name === '')) return undefined
  // Items between prose may be anything, e.g. links, unless each has its argument.
  if (rest !== '' && options.some((o) => o.argument === '' && o.mark === undefined)) return undefined
  const judged = judge(options, said)
  const own = plainSentences(said.outcome)[0] ?? plainText(said.title)
  const parts = chosenParts(said).map(words)
  const isOther = (o: Option): boolean =>
    !o.soundsChosen && !isTakenUp(o, { chosen: [], parts }) && likeness(words(o.name), words(said.title)) < LIKE_CHOSEN
  const others = judged.choice === undefined ? options.filter((o) => !judged.taken.has(o) && isOther(o)) : []
  const rejected = [...judged.rejected, ...others.filter(isOver).map((o) => toInferred(o, own))]
  if (rejected.length === 0) return undefined
  const isAllStated = others.length === 0 && judged.rejected.length === options.length && judged.isStated
  return { rejected, chosen: judged.chosen, leftover: new Map(isAllStated ? [[section, rest]] : []) }
}

/** The options that were not chosen, with the arguments about each. */
function weigh(listed: readonly Section[], argued: readonly Section[], said: Said): OptionsReading | undefined {
  const discussed = argued.flatMap((section) => readList(section.text, 'headings').options)
  const list = listed.flatMap((section) =>
    section.kind === 'option' ? [asOption(section)] : readList(section.text).options,
  )
  const options = withoutTwins(list.length > 0 ? list : discussed).map((option) => {
    const about = list.length > 0 ? sameOption(option.name, discussed) : undefined
    const argument = [option.argument, about?.argument].filter(Boolean).join('\n\n')
    return { ...option, argument, mark: option.mark ?? about?.mark, block: about?.name ?? option.name }
  })
  if (options.length === 0 || options.some((o) => o.name === '')) return undefined
  const judged = judge(options, said)
  if (judged.rejected.length === 0) return undefined
  const leftover = new Map<Section, string>()
  if (judged.isStated) {
    const used = new Set(options.filter((o) => judged.taken.has(o)).flatMap((o) => [o.block, o.name]))
    for (const section of listed)
      if (section.kind !== 'option') leftover.set(section, readList(section.text).rest)
      else if (used.has(asOption(section).name)) leftover.set(section, '')
    for (const section of argued) leftover.set(section, withoutBlocks(section, used))
  }
  return { rejected: judged.rejected, chosen: judged.chosen, leftover }
}

/** Options from a list that only the sentence before it describes as options: its rejections are inferred. */
function weighInferred(section: Section, said: Said): OptionsReading | undefined {
  const { options } = readList(section.text)
  const { choice, chosen, taken } = judge(options, said)
  if (choice === undefined || options.length < 2) return undefined
  return { rejected: [...taken].map((o) => toInferred(o, choice.sentence)), chosen, leftover: new Map() }
}

const asOption = (section: Section): Option => readList(`# ${section.heading}\n\n${section.text}`).options[0]!

/** Merges an option listed in several sections. */
const withoutTwins = (options: readonly Option[]): Option[] => {
  const bare = ({ name, keys }: Option): string => words(keys[1] ?? name)
  return options.filter((o, i) => !options.slice(0, i).some((other) => bare(o) !== '' && bare(o) === bare(other)))
}

interface Judged {
  readonly rejected: readonly RejectedAlternative[]
  readonly chosen: readonly string[]
  readonly choice: Choice | undefined
  readonly isStated: boolean
  /** The options that became rejected alternatives. */
  readonly taken: ReadonlySet<Option>
}

// An option that shares this many words with the chosen one may be the same in other words, or a part of it.
const LIKE_CHOSEN = 0.5

/** Marks on an option take precedence: "✅", "(chosen)", "Rejected because". */
function judge(options: readonly Option[], said: Said): Judged {
  const marked = new Set(options.flatMap((o, i) => (o.mark === 'chosen' ? [i] : [])))
  const found = findChoice(
    options.map((o) => o.keys),
    said,
  )
  const choice: Choice | undefined =
    marked.size > 0 && marked.size < options.length
      ? {
          sentence: '',
          isLabelled: false,
          ...found,
          isStated: true,
          chosen: new Set([...marked, ...(found?.chosen ?? [])]),
        }
      : found
  const chosen = options.filter((_, i) => choice?.chosen.has(i))
  const parts = chosenParts(said).map(words)
  const isLike = (o: Option): boolean =>
    chosen.some((c) => isPartOf(words(o.name), words(c.name)) || isJoinedIn(o, c)) ||
    (choice?.isStated === false && chosen.some((c) => likeness(words(o.name), words(c.name)) >= LIKE_CHOSEN))
  const isUnsure = (o: Option): boolean => o.soundsChosen && choice?.isStated !== true
  const taken = options.filter(
    (o) =>
      !chosen.includes(o) &&
      isOver(o) &&
      !isLike(o) &&
      (choice?.isLabelled === true || o.mark === 'rejected' || !isTakenUp(o, { chosen, parts })) &&
      (o.mark === 'rejected' || (choice !== undefined && !isUnsure(o))),
  )
  return {
    rejected: taken.map((o) =>
      o.mark === 'rejected' || choice?.isStated ? toRejected(o) : toInferred(o, choice?.sentence ?? ''),
    ),
    chosen: chosen.map((o) => o.name),
    choice,
    isStated: choice?.isStated === true,
    taken: new Set(taken),
  }
}

/** True for "Return a string" and "Convert it to JSON" if "Offer both, a string and JSON" is chosen. */
const isJoinedIn = (part: Option, whole: Option): boolean =>
  /\b(?:both|hybrid|mix(?:ture)? of|combin\w+|dual|together)\b/i.test(whole.name) &&
  longWords(part.name).some((word) => longWords(whole.name).includes(word))

const longWords = (name: string): string[] =>
  words(name)
    .split(' ')
    .filter((word) => word.length > 3)

/** True for "Flask" in "Flask + APIFlask", but not for "lock the note" in "do not lock the note". */
const isPartOf = (part: string, whole: string): boolean =>
  part !== whole &&
  ` ${whole} `.includes(` ${part} `) &&
  !/\b(?:no|not|never|without|don t|instead)\b/.test(whole.replace(part, ''))

/**
 * True for "Postgres with NOTIFY" if the text chooses Postgres in addition to the matched option: in that case it is
 * neither chosen nor rejected.
 */
function isTakenUp(o: Option, { chosen, parts }: { chosen: readonly Option[]; parts: readonly string[] }): boolean {
  const shared = new Set(chosen.flatMap((c) => nameTokens(c.name)))
  const own = nameTokens(o.name).filter((token) => !shared.has(token))
  return parts.some((part) => own.some((token) => ` ${part} `.includes(` ${words(token)} `)))
}

const isOver = (o: Option): boolean => o.mark !== 'chosen' && !isHeldOpen(`${o.name} ${o.argument}`)

/**
 * The block that argues about an option: the same words, one name inside the other, or at least half of the words
 * shared.
 */
function sameOption(name: string, among: readonly Option[]): Option | undefined {
  const wanted = words(name)
  const same = among.find((o) => o.name === name) ?? among.find((o) => words(o.name) === wanted)
  if (same !== undefined) return same
  const scored = among
    .map((o) => ({ o, score: likeness(wanted, words(o.name)) }))
    .filter(({ score }) => score >= LIKE_CHOSEN)
  return scored.sort((a, b) => b.score - a.score)[0]?.o
}

const toRejected = ({ name, argument }: Option): RejectedAlternative => ({
  name: ellipsis(name, LIMITS.alternative),
  reason: plainReason(badFirst(argument)) || NO_REASON,
})

const toInferred = (option: Option, sentence: string): RejectedAlternative => ({
  name: ellipsis(option.name, LIMITS.alternative),
  reason: inferredReason(ellipsis(sentence, LONGEST_SENTENCE), plainReason(badFirst(option.argument))),
})

const LONGEST_SENTENCE = 300

/** Puts arguments against first: they explain the rejection. */
function badFirst(argument: string): string {
  const bad: string[] = []
  const others: string[] = []
  let into = others
  for (const line of argument.split('\n')) {
    if (/^(?:[-*+]|\d+[.)])\s/.test(line))
      into = /^\S+\W*(?:bad|cons?|contra|negative|disadvantage)\b/i.test(line) ? bad : others
    else if (/^\S/.test(line)) into = others
    into.push(line)
  }
  return [bad.join('\n'), others.join('\n').replace(/\n{3,}/g, '\n\n')].map(strip).filter(Boolean).join('\n\n')
}

/** The section without the blocks that became reasons. */
function withoutBlocks(section: Section, used: ReadonlySet<string>): string {
  const { lead, blocks } = splitBlocks(section.text)
  const kept = blocks.filter((b) => !used.has(readList(`# ${b.heading}`).options[0]?.name ?? ''))
  return strip([lead, ...kept.map((b) => `${'#'.repeat(b.level)} ${b.heading}\n\n${b.text}`)].join('\n\n'))
}
