import { ellipsis } from '../../../kernel/domain/text.ts'
import { plainInline, type LaidBlock, type StoryBlock, type TextBlock } from './story-blocks.ts'

/** A block as it was when somebody commented on it. Blocks have no ids, so it is found again by its content. */
export interface BlockAnchor {
  readonly kind: 'chart' | 'table' | 'text'
  /** Short text for people. */
  readonly name: string
  readonly text: string
  /** The blocks beside it; empty at an end of the story. */
  readonly before: string
  readonly after: string
}

/** The blocks that people comment on, from the top; the cells of a grid each count. */
export const commentable = <B extends StoryBlock | LaidBlock>(blocks: readonly B[]): readonly B[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'grid') return block.cells.flatMap((cell) => commentable(cell as readonly B[]))
    return block.kind === 'rule' ? [] : [block]
  })

/** Anchors for all commentable blocks of a story. */
export function anchorsOf(blocks: readonly StoryBlock[]): readonly BlockAnchor[] {
  const all = commentable(blocks)
  const texts = all.map(contentOf)
  return all.map((block, at) => ({
    kind: kindOf(block),
    name: nameOf(block),
    text: texts[at]!.slice(0, LONGEST),
    before: (texts[at - 1] ?? '').slice(0, LONGEST_NEIGHBOUR),
    after: (texts[at + 1] ?? '').slice(0, LONGEST_NEIGHBOUR),
  }))
}

// Enough to know a block again; a comment should not store whole pages.
const LONGEST = 1_000
const LONGEST_NEIGHBOUR = 200
const LONGEST_NAME = 80

/**
 * Where the block of an anchor is among those of a text: the same content, else the block between the same neighbours,
 * else one with nearly the same words. Undefined if it is gone.
 */
export function placeOf(anchor: BlockAnchor, present: readonly BlockAnchor[]): number | undefined {
  const neighbours = ({ before, after }: BlockAnchor): number =>
    Number(before === anchor.before) + Number(after === anchor.after)
  const alike = present.flatMap((one, at) => (one.kind === anchor.kind ? [{ one, at }] : []))
  const same = alike
    .filter(({ one }) => one.text === anchor.text)
    .toSorted((a, b) => neighbours(b.one) - neighbours(a.one))
  if (same[0] !== undefined) return same[0].at
  const isOnly = anchor.before === '' && anchor.after === ''
  const between = isOnly ? [] : alike.filter(({ one }) => neighbours(one) === 2)
  if (between[0] !== undefined) return between[0].at
  const words = wordsOf(anchor.text)
  // The neighbours may be worded alike, and were other blocks.
  const isNeighbour = ({ text }: BlockAnchor): boolean =>
    [anchor.before, anchor.after].includes(text.slice(0, LONGEST_NEIGHBOUR))
  const [nearest] = alike
    .filter(({ one }) => !isNeighbour(one))
    .slice(0, MOST_COMPARED)
    .map(({ one, at }) => ({ at, share: shareOf(words, wordsOf(one.text)) }))
    .toSorted((a, b) => b.share - a.share)
  return nearest !== undefined && nearest.share >= NEARLY_SAME ? nearest.at : undefined
}

// Share of words in common.
const NEARLY_SAME = 0.75
// More comparisons would take seconds with many comments.
const MOST_COMPARED = 500

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** Twice the number of common words by the number of all words. */
function shareOf(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common++
  }
  return (2 * common) / (a.length + b.length)
}

const kindOf = ({ kind }: StoryBlock): BlockAnchor['kind'] => (kind === 'chart' || kind === 'table' ? kind : 'text')

function nameOf(block: StoryBlock): string {
  const title = block.kind === 'chart' ? block.chart.title : block.kind === 'table' ? block.table.title : ''
  return ellipsis(title === '' ? contentOf(block) : title, LONGEST_NAME)
}

/** The content of a block on one line. */
function contentOf(block: StoryBlock): string {
  if (block.kind === 'grid') return block.cells.flat().map(contentOf).join(' ')
  if (block.kind === 'table') return onOneLine(`${block.table.title} ${block.table.query}`)
  if (block.kind !== 'chart') return onOneLine(writtenIn(block))
  const { title, kind, query, x, y, series_by } = block.chart
  return onOneLine([title, kind, query, x, y, series_by].filter((part) => part !== undefined).join(' '))
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function writtenIn(block: TextBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainInline(block.inside)
    case 'list':
      return block.items.flat().map(writtenIn).join(' ')
    case 'quote':
      return block.blocks.map(writtenIn).join(' ')
    case 'code':
      return block.text
    case 'rows':
      return block.rows.flatMap((row) => row.map(plainInline)).join(' ')
    case 'rule':
      return ''
  }
}
