import { plural } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import type { Citation } from '../chat/part.ts'
import { checkCitations, FALL, mannerOf } from '../citation/check-citations.ts'
import { isWithin, rangesOf, type CitedQuery } from '../citation/figures-of.ts'
import { numbersIn, writtenLike, type ShownNumber } from '../citation/number-in-text.ts'
import { readCitations } from '../citation/read-citations.ts'
import { bindNumber, currentNumber, type BoundNumber } from './bound-number.ts'
import {
  plainInline,
  type Figure,
  type Inline,
  type LaidBlock,
  type MovedNumber,
  type StoryBlock,
  type TextBlock,
} from './story-blocks.ts'
import type { StoryResult } from './story.ts'

type Results = ReadonlyMap<string, StoryResult>

/**
 * Checks every number in a story's text. A number bound to a cell shows the cell's current value; any other number is
 * marked unless it occurs in a result. `notices` are shown at the top, for numbers that changed or cannot be confirmed.
 */
export function checkNumbers(
  blocks: readonly LaidBlock[],
  results: Results,
): {
  readonly blocks: readonly LaidBlock[]
  readonly notices: readonly string[]
  readonly moved: readonly MovedNumber[]
} {
  const { numbers, flat } = readNumbers(blocks, results)
  const living = numbers.flatMap((one) => livingNumber(one, results, flat) ?? [])
  const byNumber = new Map(living.map((one) => [one.read, one]))
  const byPart = Map.groupBy(numbers, ({ part }) => part)
  const renew = (inside: readonly Inline[]): readonly Inline[] =>
    inside.flatMap((part) => {
      const found = byPart.get(part)
      if (found === undefined) return 'inside' in part ? [{ ...part, inside: renew(part.inside) }] : [part]
      if (part.kind === 'figure') return [renewedFigure(part, found, byNumber.get(found[0]!))]
      return part.kind === 'text' ? markedText(part.text, found) : [part]
    })
  return {
    blocks: byPart.size === 0 ? blocks : mapTexts(blocks, renew),
    notices: noticesOf(numbers, living, flat),
    moved: living.flatMap(({ bound, label, was }) =>
      was === undefined ? [] : [{ place: bound.place, was, now: label }],
    ),
  }
}

/** Cited numbers in a text that its results do not contain, except those that were bound before. */
export function wrongNumbers(blocks: readonly StoryBlock[], results: Results): readonly (Cited & Citation)[] {
  return readNumbers(blocks, results).numbers.flatMap(({ citation, cited, bound }) =>
    cited === undefined || bound !== undefined || citation.state === 'checked' ? [] : [{ ...citation, ...cited }],
  )
}

/** Results with the numbers that a text cites from them, bound to their cells. */
export function bindNumbers(blocks: readonly StoryBlock[], results: Results): Results {
  const { numbers } = readNumbers(blocks, results)
  return new Map(
    [...results].map(([query, result]) => {
      const bound = numbers.flatMap(({ citation, cited, bound: before }) => {
        if (cited === undefined || citation.query !== query) return []
        if (before !== undefined) return [before]
        const { column, row, by } = citation
        if (citation.state !== 'checked' || numbersIn(cited.label).length === 0) return []
        const place = { ...(column !== undefined && { column }), ...(row !== undefined && { row }), ...(by && { by }) }
        return bindNumber({ ...cited, ...place }, citedQuery(query, result)) ?? []
      })
      const kept = (result.bound ?? []).filter((one) => !bound.some((other) => isSameCitation(one, other)))
      const all = [...kept, ...bound]
      return [query, { ...result, ...(all.length > 0 && { bound: all }) }]
    }),
  )
}

interface Cited {
  readonly label: string
  readonly place: string
}

const isSameCitation = (a: Cited, b: Cited): boolean => a.label === b.label && a.place === b.place

interface ReadNumber {
  readonly citation: Citation
  /** The part of the text that contains the number, and its offset in that part. */
  readonly part: Inline
  readonly at: number
  /** Undefined for a number that does not link to its cell. */
  readonly cited?: Cited
  readonly bound?: BoundNumber
}

const citedQuery = (id: string, { columns, rows, cut }: StoryResult): CitedQuery => ({
  id,
  columns,
  rows,
  rowCount: rows.length,
  cut,
})

/** Escapes a cell for a line that Ken writes: it may contain any text. */
const shownCitation = (one: Citation): Citation =>
  one.found === undefined ? one : { ...one, found: visibleLine(one.found) }

function readNumbers(blocks: readonly (StoryBlock | LaidBlock)[], results: Results) {
  const { flat, parts } = flatten(blocks)
  const citations = checkCitations(
    flat,
    [...results].map(([id, result]) => citedQuery(id, result)),
  )
  let next = 0
  const numbers = citations.map(shownCitation).flatMap((citation): ReadNumber[] => {
    while (next < parts.length - 1 && parts[next]!.to <= citation.at) next++
    const { part, from, to, cited } = parts[next]!
    if (citation.at < from || citation.at >= to) return []
    const bound = cited && results.get(citation.query ?? '')?.bound?.find((one) => isSameCitation(one, cited))
    return [{ citation, part, at: citation.at - from, ...(cited && { cited }), ...(bound && { bound }) }]
  })
  return { numbers, flat }
}

interface FlatPart {
  readonly part: Inline
  readonly from: number
  readonly to: number
  readonly cited?: Cited
}

/** The text of all blocks as in an answer, with the source part of each range. */
function flatten(blocks: readonly (StoryBlock | LaidBlock)[]): { flat: string; parts: readonly FlatPart[] } {
  const pieces: string[] = []
  const parts: FlatPart[] = []
  let length = 0
  const say = (text: string): void => {
    pieces.push(text)
    length += text.length
  }
  const inline = (inside: readonly Inline[]): void => {
    for (const part of inside) {
      if (part.kind === 'text') {
        parts.push({ part, from: length, to: length + part.text.length })
        say(part.text)
      } else if (part.kind === 'figure') {
        const label = plainInline(part.inside).replaceAll(/[[\]\n]/g, ' ')
        const cited = { label, place: part.place }
        parts.push({ part, from: length + 1, to: length + 1 + label.length, cited })
        say(`[${label}](${part.place})`)
      } else if (part.kind === 'break') say('\n')
      else if ('inside' in part) inline(part.inside)
      else say(' ')
    }
  }
  for (const block of textsIn(blocks)) {
    if (block.kind === 'heading') say('# ')
    if (block.kind === 'rows')
      for (const row of block.rows) {
        for (const cell of row) {
          say('| ')
          inline(cell)
          say(' ')
        }
        say('\n')
      }
    else if (block.kind === 'heading' || block.kind === 'paragraph') inline(block.inside)
    say('\n\n')
  }
  return { flat: pieces.join(''), parts }
}

function textsIn(blocks: readonly (StoryBlock | LaidBlock)[]): readonly TextBlock[] {
  return blocks.flatMap((block): readonly TextBlock[] => {
    switch (block.kind) {
      case 'grid':
        return block.cells.flatMap((cell) => textsIn(cell))
      case 'list':
        return block.items.flatMap((item) => textsIn(item))
      case 'quote':
        return textsIn(block.blocks)
      case 'heading':
      case 'paragraph':
      case 'rows':
        return [block]
      default:
        return []
    }
  })
}

function mapTexts<Block extends LaidBlock>(
  blocks: readonly Block[],
  renew: (inside: readonly Inline[]) => readonly Inline[],
): readonly Block[] {
  const changed = (block: LaidBlock): LaidBlock => {
    switch (block.kind) {
      case 'grid':
        return { ...block, cells: block.cells.map((cell) => mapTexts(cell, renew)) }
      case 'list':
        return { ...block, items: block.items.map((item) => mapTexts(item, renew)) }
      case 'quote':
        return { ...block, blocks: mapTexts(block.blocks, renew) }
      case 'heading':
      case 'paragraph':
        return { ...block, inside: renew(block.inside) }
      case 'rows':
        return { ...block, rows: block.rows.map((row) => row.map(renew)) }
      default:
        return block
    }
  }
  return blocks.map((block) => changed(block) as Block)
}

/** A bound number with its current value. */
interface LivingNumber {
  readonly read: ReadNumber
  readonly bound: BoundNumber
  readonly now?: number
  readonly end?: 'most' | 'least'
  /** The label with the current value. */
  readonly label: string
  /** The label with the value before the last refresh, if it read differently. */
  readonly was?: string
  readonly missing?: string
}

function livingNumber(read: ReadNumber, results: Results, flat: string): LivingNumber | undefined {
  const { bound, citation, cited } = read
  const result = results.get(citation.query ?? '')
  const [number] = numbersIn(cited?.label ?? '')
  if (bound === undefined || result === undefined || number === undefined) return undefined
  const current = currentNumber(bound, citedQuery(citation.query!, result))
  if ('missing' in current) return { read, bound, label: bound.label, missing: visibleLine(current.missing) }
  const { value: now, end } = current
  const isSame = isWithin(rangesOf(number, mannerOf(flat, citation.at)), now)
  const label = isSame ? bound.label : relabelled(bound, number, now)
  const was = bound.was === undefined || bound.was === now ? label : relabelled(bound, number, bound.was)
  return { read, bound, now, ...(end && { end }), label, ...(was !== label && { was }) }
}

const relabelled = ({ label, value }: BoundNumber, number: ShownNumber, now: number): string =>
  label.slice(0, number.at) + writtenLike(number, { was: value, now }) + label.slice(number.at + number.text.length)

function renewedFigure(
  part: Figure,
  [first, ...further]: readonly ReadNumber[],
  living: LivingNumber | undefined,
): Figure {
  const figure = citedFigure(part, first!, living)
  const state = further.map(({ citation }) => citation.state).find((one) => one !== 'checked')
  return state === undefined || figure.state !== undefined ? figure : { ...figure, state }
}

function citedFigure(part: Figure, { citation }: ReadNumber, living: LivingNumber | undefined): Figure {
  if (living?.missing !== undefined) return { ...part, state: 'differs', note: living.missing }
  if (living !== undefined) {
    const { label, bound, was } = living
    const figure = was === undefined ? part : { ...part, was }
    return label === bound.label
      ? figure
      : { ...figure, inside: [{ kind: 'text', text: label }], note: `${bound.label} when it was written` }
  }
  if (citation.state === 'checked') return part
  return { ...part, state: citation.state, ...(citation.found !== undefined && { note: citation.found }) }
}

function markedText(text: string, numbers: readonly ReadNumber[]): readonly Inline[] {
  const out: Inline[] = []
  let from = 0
  for (const { citation, at } of numbers) {
    if (citation.state === 'checked' || at < from) continue
    if (at > from) out.push({ kind: 'text', text: text.slice(from, at) })
    from = at + citation.text.length
    out.push({ kind: 'figure', place: '', inside: [{ kind: 'text', text: citation.text }], state: citation.state })
  }
  if (from < text.length) out.push({ kind: 'text', text: text.slice(from) })
  return out
}

const MOST_NAMED = 5

function noticesOf(numbers: readonly ReadNumber[], living: readonly LivingNumber[], flat: string): readonly string[] {
  const isLiving = new Set(living.map(({ read }) => read))
  const others = numbers.filter((read) => !isLiving.has(read))
  const unsourced = others.filter(({ citation }) => citation.state === 'unsourced').map(({ citation }) => citation.text)
  const differing = [
    ...others
      .filter(({ citation }) => citation.state === 'differs')
      .map(({ citation }) => `${citation.text}: ${sourceOf(citation)} has ${citation.found ?? 'something else'}`),
    ...living.flatMap(({ bound, missing }) => (missing === undefined ? [] : [`${bound.label}: ${missing}`])),
  ]
  const doubts = [...new Set(doubtsOf(living, flat))]
  return [
    ...(unsourced.length === 0
      ? []
      : [
          `${plural(unsourced.length, 'number')} here ${unsourced.length === 1 ? 'comes' : 'come'} from no query: ${named(unsourced, ', ')}.`,
        ]),
    ...(differing.length === 0
      ? []
      : [
          `${plural(differing.length, 'number')} ${differing.length === 1 ? 'differs' : 'differ'} from the data. ${named(differing, '; ')}.`,
        ]),
    ...(doubts.length === 0 ? [] : [`The words may no longer fit the data: ${named(doubts, '; ')}.`]),
  ]
}

const named = (list: readonly string[], between: string): string =>
  list.slice(0, MOST_NAMED).join(between) +
  (list.length > MOST_NAMED ? `${between}and ${list.length - MOST_NAMED} more` : '')

export const sourceOf = ({ query, column, row }: Pick<Citation, 'query' | 'column' | 'row'>): string =>
  [query, column, row === undefined ? undefined : `row ${row}`].filter((part) => part !== undefined).join(', ')

const RISE =
  /\b(?:grew|grow\w*|rose|rise[ns]?|rising|up|increas\w*|gain\w*|climb\w*|jump\w*|higher|more|improv\w*|surg\w*|exceed\w*|above|ahead|doubled|tripled)\b/i
/** Words of comparison that do not depend on the sign of a number. */
const COMPARED =
  /\b(?:fewer|smaller|greater|stronger|weaker|better|worse|slip\w*|slid\w*|sank|sunk|sink\w*|halv\w*|over(?:took|take[ns]?|taking)|surpass\w*|outpac\w*|outperform\w*|beat\w*|positive|recover\w*)\b/i
const ENDS = {
  most: /\b(?:highest|largest|biggest|greatest|most|best|top|leading|leads?|strongest|maximum|peak\w*|record)\b/i,
  least: /\b(?:lowest|smallest|least|fewest|worst|weakest|minimum|bottom|last)\b/i,
} as const

/**
 * Words that describe the size of a change or a share, and therefore fit only numbers close to the one they were
 * written for.
 */
const SIZE =
  /\b(?:doubl\w*|tripl\w*|quadrupl\w*|halv\w*|twice|(?<!(?:first|second|last|this|next) )half|majority|(?:a|one|two) (?:third|fifth|tenth)s?|\w+fold)\b/i
const FITS_WITHIN = 0.1

/** Words of direction or rank in a sentence whose numbers have changed so that the words may be wrong. */
function doubtsOf(living: readonly LivingNumber[], flat: string): readonly string[] {
  const sentences = Map.groupBy(living, ({ read }) => sentenceStart(flat, read.citation.at))
  return [...sentences].flatMap(([start, numbers]) => {
    const end = flat.slice(start).search(/[.!?](?:\s|$)|\n/)
    const sentence = plainSentence(flat.slice(start, end < 0 ? undefined : start + end))
    const direction = (RISE.exec(sentence) ?? FALL.exec(sentence) ?? COMPARED.exec(sentence))?.[0]
    const size = SIZE.exec(sentence)?.[0]
    const changed = turned(numbers)
    return [
      ...(direction === undefined ? [] : changed.map((change) => `"${direction}", but ${change}`)),
      ...(size === undefined || (direction !== undefined && changed.length > 0)
        ? []
        : resized(numbers).map((change) => `"${size}", but ${change}`)),
      ...numbers.flatMap(({ bound, now, end: today, label }) => {
        const word = bound.end === undefined ? undefined : ENDS[bound.end].exec(sentence)?.[0]
        if (word === undefined || now === undefined || today === bound.end) return []
        return [
          `"${word}", but ${label} is not the ${bound.end === 'most' ? 'largest' : 'smallest'} ${bound.column} now`,
        ]
      }),
    ]
  })
}

/** Numbers that differ from the written value by more than a word about their size allows. */
const resized = (numbers: readonly LivingNumber[]): readonly string[] =>
  numbers.flatMap(({ bound: { value, label: before }, now, label }) =>
    now === undefined || Math.abs(now - value) <= Math.abs(value) * FITS_WITHIN ? [] : [`${before} is ${label} now`],
  )

/** Numbers that changed their sign, and pairs of numbers in one column that changed their order. */
function turned(numbers: readonly LivingNumber[]): readonly string[] {
  const signs = numbers.flatMap(({ bound, now, label }) =>
    now === undefined || bound.value === 0 || Math.sign(now) === Math.sign(bound.value)
      ? []
      : [`${bound.label} is ${label} now`],
  )
  const pairs = numbers.flatMap((a, at) =>
    numbers.slice(at + 1).flatMap((b) => {
      if (a.now === undefined || b.now === undefined || a.bound.column !== b.bound.column) return []
      const before = Math.sign(a.bound.value - b.bound.value)
      if (before === 0 || before === Math.sign(a.now - b.now)) return []
      return [`${a.bound.label} and ${b.bound.label} are ${a.label} and ${b.label} now`]
    }),
  )
  return [...signs, ...pairs]
}

const plainSentence = (text: string): string =>
  readCitations(text).reduceRight((rest, { from, to, label }) => rest.slice(0, from) + label + rest.slice(to), text)

const LONGEST_SENTENCE = 1_000

function sentenceStart(flat: string, at: number): number {
  const from = Math.max(0, at - LONGEST_SENTENCE)
  return Math.max(from, ...[...flat.slice(from, at).matchAll(/[.!?]\s|\n/g)].map(({ index }) => from + index + 1))
}
