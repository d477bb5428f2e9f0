import { strip, withoutBlocks } from '../text.ts'
import { withoutHidden } from '../trust/visible.ts'
import { closeFence, outsideFences } from './markdown-fences.ts'

/** Heading with everything up to the next heading that is not deeper. */
export interface Block {
  readonly heading: string
  readonly level: number
  readonly text: string
}

export interface Blocks {
  /** Text before the first block. */
  readonly lead: string
  readonly blocks: readonly Block[]
}

interface HeadingLine {
  readonly line: number
  readonly level: number
  readonly heading: string
}

/** Unix line ends, without byte order mark and invisible characters. */
export const plainLines = (text: string): string => withoutHidden(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))

/**
 * Converts underlined headings to `#` headings. Not for text with frontmatter, because its last fence looks like an
 * underline.
 */
export function hashHeadings(text: string): string {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  for (let i = 1; i < lines.length; i++) {
    const underlined =
      open[i] &&
      /^(?:={3,}|-{3,})\s*$/.test(lines[i]!) &&
      /^[^\s#>|*+`~\-=][^|]*$/.test(lines[i - 1]!) &&
      (lines[i - 2] ?? '').trim() === ''
    if (!underlined) continue
    lines[i - 1] = `${lines[i]!.startsWith('=') ? '#' : '##'} ${lines[i - 1]!.trim()}`
    lines[i] = ''
  }
  return lines.join('\n')
}

/** Headings outside code fences, without comments and closing marks. */
export function headingLines(text: string): HeadingLine[] {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  return lines.flatMap((line, i) => {
    const match = open[i] ? /^(#{1,6})\s+(.*)$/.exec(line) : null
    if (match === null) return []
    const heading = strip(withoutBlocks(match[2]!, '<!--', '-->').replace(/\s#+\s*$/, ''))
    return heading === '' ? [] : [{ line: i, level: match[1]!.length, heading }]
  })
}

/** Splits at headings of at most this level; by default at the shallowest level present. */
export function splitBlocks(text: string, deepest?: number): Blocks {
  const lines = text.split('\n')
  const all = headingLines(text)
  const level = deepest ?? Math.min(...all.map((h) => h.level))
  const cuts = all.filter((h) => h.level <= level)
  const blocks = cuts.map((cut, i) => ({
    heading: cut.heading,
    level: cut.level,
    text: strip(lines.slice(cut.line + 1, cuts[i + 1]?.line).join('\n')),
  }))
  return { lead: strip(lines.slice(0, cuts[0]?.line).join('\n')), blocks }
}

/**
 * Shifts every heading by this many levels, down to 6 and up to `least`: levels 1 and 2 belong to the decision file
 * itself.
 */
export function shiftHeadings(text: string, by: number, least = 3): string {
  const lines = text.split('\n')
  for (const { line, level } of headingLines(text)) {
    lines[line] = lines[line]!.replace(/^#+/, '#'.repeat(Math.min(6, Math.max(least, level + by))))
  }
  return lines.join('\n')
}

/** Text of every list item, one line each; excludes numbered items. */
export const listItems = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^[-*]\s+(\S.*)$/.exec(strip(line))?.[1] ?? [])

export interface Item {
  readonly text: string
  /** Indented text below the item. */
  readonly detail: string
}

/** Outermost list items with their details, and the remaining text. A wrapped line continues its item. */
export function outerItems(text: string): { readonly items: readonly Item[]; readonly rest: string } {
  const items: { text: string; detail: string[] }[] = []
  const rest: string[] = []
  let inside: 'item' | 'detail' | 'none' = 'none'
  for (const line of text.split('\n')) {
    const start = /^ ?(?:[-*+]|\d+[.)])\s+(\S.*)$/.exec(line)?.[1]
    const item = items.at(-1)
    if (start !== undefined) {
      items.push({ text: strip(start), detail: [] })
      inside = 'item'
    } else if (line.trim() === '') {
      ;(inside === 'none' ? rest : item!.detail).push('')
      if (inside === 'item') inside = 'detail'
    } else if (inside === 'none' || !/^\s/.test(line)) {
      rest.push(line)
      inside = 'none'
    } else if (inside === 'item' && !/^\s+(?:[-*+>`~|]|\d+[.)]\s)/.test(line)) {
      item!.text += ` ${strip(line)}`
    } else {
      item!.detail.push(line)
      inside = 'detail'
    }
  }
  return {
    items: items.map((item) => ({ text: item.text, detail: dedent(item.detail) })),
    rest: strip(rest.join('\n')),
  }
}

function dedent(lines: readonly string[]): string {
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length))
  return strip(lines.map((line) => line.slice(margin)).join('\n'))
}

/** Replaces links by their text and removes emphasis, on one line. */
export const plainText = (text: string): string =>
  strip(
    text
      .replace(/!?\[\[(?:[^\]|]{1,300}\|)?([^\]|]{0,300})\]\]/g, '$1')
      .replace(/!?\[([^\]]{0,300})\]\([^()]{0,500}(?:\([^()]{0,300}\)[^()]{0,300})?\)/g, '$1')
      .replace(/<(https?:[^>\s]+)>/g, '$1')
      .replace(/\*\*|__|~~|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, '')
      .replace(/\s+/g, ' '),
  )

/**
 * Joins parts into a rationale that reads back unchanged: no heading of the decision file inside, no open code fence.
 */
export function plainRationale(parts: readonly string[]): string {
  const closed = parts
    .map(strip)
    .filter((part) => part !== '')
    .map(closeFence)
  const lines = closed.join('\n\n').split('\n')
  const open = outsideFences(lines)
  return lines.map((line, i) => (open[i] && /^## +Rejected Alternatives\s*$/.test(line) ? `#${line}` : line)).join('\n')
}

/** Like `plainRationale`, for a reason, in which `### ` would begin the next alternative even inside a fence. */
export const plainReason = (text: string): string =>
  strip(closeFence(shiftHeadings(text, 1, 4)).replace(/^###(?=\s)/gm, ' ###'))

const LARGEST = 256 * 1024
const LONGEST_LINE = 100_000

/** Why a file is too large to import, as its readers read a line several times; undefined if it is not. */
export function tooLargeToImport(text: string): string | undefined {
  if (text.length > LARGEST) return 'it is larger than 256 KB'
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    if ((end < 0 ? text.length : end) - start > LONGEST_LINE)
      return `it has a line of more than ${LONGEST_LINE.toLocaleString('en')} characters`
    start = end < 0 ? text.length : end + 1
  }
  return undefined
}
