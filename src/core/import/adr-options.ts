import type { RejectedAlternative } from '../decision/decision.ts'
import { LIMITS } from '../decision/screening.ts'
import { codePoints, ellipsis, strip } from '../text.ts'
import type { Section } from './adr-sections.ts'
import { outerItems, plainReason, plainText, splitBlocks } from './markdown.ts'
import { NO_REASON, isHeldOpen } from './nygard.ts'

interface Option {
  readonly name: string
  readonly argument: string
}

export interface OptionsReading {
  readonly rejected: readonly RejectedAlternative[]
  /** Of each section that was understood, the text that did not become a rejected alternative. */
  readonly leftover: ReadonlyMap<Section, string>
}

// Shares of common words above which two wordings of one option are taken for the same, and by how much the best must
// lead.
const ALIKE = 0.5
const APART = 0.2

/**
 * Turns options that were not chosen into rejected alternatives. Where the text does not say which one was chosen, or
 * puts one off for later, nothing is claimed and the section stays text.
 */
export function readOptions(sections: readonly Section[]): OptionsReading {
  const rejected: RejectedAlternative[] = []
  const leftover = new Map<Section, string>()
  const of = (kind: Section['kind']): Section[] => sections.filter((s) => s.kind === kind)
  const outcome = of('decision')
    .map((s) => s.text)
    .join('\n\n')
  for (const section of [...of('rejected'), ...of('alternatives')]) {
    const taken = takeAlternatives(section, outcome)
    if (taken === undefined) continue
    rejected.push(...taken.rejected)
    leftover.set(section, taken.rest)
  }
  const weighed = weigh(of('options'), of('arguments'), outcome)
  if (weighed === undefined) return { rejected, leftover }
  for (const section of of('options')) leftover.set(section, readList(section.text).rest)
  for (const section of of('arguments')) leftover.set(section, withoutBlocks(section, weighed.used))
  return { rejected: [...rejected, ...weighed.rejected], leftover }
}

/**
 * Under a heading that says "rejected" or "alternatives" everything named was turned down, unless the text says
 * otherwise.
 */
function takeAlternatives(
  section: Section,
  outcome: string,
): { rejected: RejectedAlternative[]; rest: string } | undefined {
  const { options, rest } = readList(section.text)
  if (options.length === 0 || options.some((o) => o.name === '')) return undefined
  if (section.kind === 'rejected') return { rejected: options.map(toRejected), rest }
  // Items between prose may be anything, links for instance, unless each brings its argument.
  const unsure = rest !== '' && options.some((o) => o.argument === '')
  if (unsure) return undefined
  const chosen = chosenOptions(
    options.map((o) => o.name),
    outcome,
  )
  const rejected = options.filter(
    (o, i) => !chosen?.has(i) && !isHeldOpen(`${o.name} ${o.argument}`) && !soundsChosen(o.argument),
  )
  return { rejected: rejected.map(toRejected), rest: rejected.length === options.length ? rest : section.text }
}

const soundsChosen = (text: string): boolean =>
  /\b(?:chosen|selected|accepted|we (?:will|have decided to|decided to) (?:use|go with)|this is what we)\b/i.test(text)

interface Weighed {
  readonly rejected: readonly RejectedAlternative[]
  /** Headings of the blocks that became reasons. */
  readonly used: ReadonlySet<string>
}

/** The options that were not chosen, with what is argued about each; undefined when it is not said which one was. */
function weigh(listed: readonly Section[], argued: readonly Section[], outcome: string): Weighed | undefined {
  const discussed = argued.flatMap((section) =>
    splitBlocks(section.text).blocks.map((b) => ({ name: plainText(b.heading), argument: b.text })),
  )
  const list = listed.flatMap((section) => readList(section.text).options)
  const options = list.length > 0 ? list : discussed.map(({ name }) => ({ name, argument: '' }))
  const chosen = chosenOptions(
    options.map((o) => o.name),
    outcome,
  )
  if (chosen === undefined || options.some((o) => o.name === '')) return undefined
  const rejected = options
    .filter((_, i) => !chosen.has(i))
    .map((option) => ({ option, about: sameOption(option.name, discussed) }))
  return {
    rejected: rejected.map(({ option, about }) =>
      toRejected({ name: option.name, argument: [option.argument, about?.argument].filter(Boolean).join('\n\n') }),
    ),
    used: new Set(rejected.flatMap(({ about }) => about?.name ?? [])),
  }
}

const CHOSEN =
  /\b(?:chosen|selected|preferred) (?:option|alternative|solution|approach)s?\b\W*(?:is\b|are\b|was\b)?\s*([^]{1,400}?)(?:\bbecause\b|\bsince\b|[.;]\s|\n\s*\n|$)/i

/** Which options the outcome names as chosen, by index; undefined when it names none. */
function chosenOptions(names: readonly string[], outcome: string): ReadonlySet<number> | undefined {
  const statement = CHOSEN.exec(outcome)?.[1]
  const opening = strip(outcome).split(/\n\s*\n/)[0] ?? ''
  const hedged = /\b(?:not|never|instead|rather|reject\w*|against|unlike|over|than)\b|n't\b/i.test(opening)
  for (const text of [statement, ...(hedged ? [] : [opening])]) {
    const found = text === undefined ? new Set<number>() : mentioned(names, text)
    if (found.size > 0 && found.size < names.length) return found
  }
  return undefined
}

function mentioned(names: readonly string[], text: string): Set<number> {
  const quoted = /["“'`«]([^"”»]{2,}?)["”'`»]/.exec(text)?.[1]
  const exact = names.flatMap((name, i) => (quoted !== undefined && words(name) === words(quoted) ? [i] : []))
  if (exact.length === 1) return new Set(exact)
  const found = named(names, ` ${words(text)} `)
  if (found.size > 0) return found
  if (quoted === undefined) return new Set()
  const [best, second] = names
    .map((name, index) => ({ index, score: overlap(words(quoted), words(name)) }))
    .sort((a, b) => b.score - a.score)
  return new Set(
    best !== undefined && best.score >= ALIKE && best.score - (second?.score ?? 0) >= APART ? [best.index] : [],
  )
}

/** The longest names first, each taken out of the text: "do not emphasize" does not mention "emphasize". */
function named(names: readonly string[], text: string): Set<number> {
  const found = new Set<number>()
  let said = text
  const byLength = names
    .map((name, i) => ({ i, keys: [words(name), ...labels(name, i)].filter(Boolean) }))
    .sort((a, b) => b.keys[0]!.length - a.keys[0]!.length)
  for (const { i, keys } of byLength) {
    const key = keys.find((k) => said.includes(` ${k} `))
    if (key === undefined) continue
    found.add(i)
    said = said.replaceAll(` ${key} `, '  ')
  }
  return found
}

function labels(name: string, index: number): string[] {
  const own = /^(?:option|alternative)\s+([a-z0-9]+)\b/i.exec(name)?.[1] ?? /^([a-z0-9])[.):]/i.exec(name)?.[1]
  return own === undefined
    ? [`option ${index + 1}`]
    : [`option ${own.toLowerCase()}`, `alternative ${own.toLowerCase()}`]
}

/** The block that argues about an option: the same words, one inside the other, or at least half of them shared. */
function sameOption(name: string, among: readonly Option[]): Option | undefined {
  const wanted = words(name)
  const same = among.find((o) => o.name === name) ?? among.find((o) => words(o.name) === wanted)
  if (same !== undefined) return same
  const scored = among.map((o) => ({ o, score: overlap(wanted, words(o.name)) })).filter(({ score }) => score >= ALIKE)
  return scored.sort((a, b) => b.score - a.score)[0]?.o
}

function overlap(a: string, b: string): number {
  if (a !== '' && b !== '' && (` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `))) return 1
  const left = new Set(a.split(' '))
  const right = new Set(b.split(' '))
  const shared = [...left].filter((word) => right.has(word)).length
  return shared / (left.size + right.size - shared)
}

const words = (text: string): string =>
  plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The options of a section: its sub-headings, else its outermost list items. */
function readList(text: string): { options: Option[]; rest: string } {
  const { lead, blocks } = splitBlocks(text)
  if (blocks.length > 0)
    return { options: blocks.map((b) => ({ name: plainText(b.heading), argument: b.text })), rest: lead }
  const { items, rest } = outerItems(text)
  return { options: items.map((item) => toOption(item.text, item.detail)), rest }
}

function toOption(text: string, detail: string): Option {
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[.,:–—-]*\s*(.*)$/.exec(text)
  const [, name, argument] = bold ?? /^(.{2,60}?)(?::\s+|\s+[–—]\s+|\s-\s+)(\S.*)$/.exec(text) ?? []
  const isLabel = name === undefined || /^\W*(?:(?:option|alternative)\s+)?\w{1,2}\W*$/i.test(name)
  const plain = plainText(isLabel ? text : name).replace(/[.:]$/, '')
  const said = codePoints(plain) > LIMITS.alternative ? text : isLabel ? '' : argument
  return { name: plain, argument: [said, detail].filter(Boolean).join('\n\n') }
}

const toRejected = ({ name, argument }: Option): RejectedAlternative => ({
  name: ellipsis(name, LIMITS.alternative),
  reason: plainReason(badFirst(argument)) || NO_REASON,
})

/** Arguments against come first: they are why it was not chosen. */
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
  const kept = blocks.filter((b) => !used.has(plainText(b.heading)))
  return strip([lead, ...kept.map((b) => `${'#'.repeat(b.level)} ${b.heading}\n\n${b.text}`)].join('\n\n'))
}
