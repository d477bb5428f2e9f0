import { ellipsis } from '../../../kernel/domain/text.ts'
import { closesFence, fenceOpening } from '../../../kernel/domain/text/markdown-fences.ts'
import { readLines, type TextLines } from '../../../kernel/domain/text/text-lines.ts'
import { readOwnerLine, type NoteOwner } from './note-owner.ts'

/** Replaces a note of another project, so that line numbers stay the same. */
export const HIDDEN_NOTE = '(a note of another project)'

export interface NoteEntry extends NoteHead {
  /** Unique in its file, and unaffected by text written before or after it. */
  readonly name: string
  /** Offsets of the entry in the file, heading included. */
  readonly start: number
  readonly end: number
  /** 1-based line of the heading. */
  readonly line: number
  /** Heading without its marks; empty for text before the first heading. */
  readonly heading: string
  readonly text: string
}

/**
 * Notes of a note file. Each begins with a time as its heading and ends at the next such heading, so a note may contain
 * other headings. Handwritten text before the first time, or in a file without any, is a note under each of its main
 * headings.
 */
export const noteEntries = (text: string): readonly NoteEntry[] => [...entriesOf(text).values()]

export const noteEntry = (text: string, name: string): NoteEntry | undefined => entriesOf(text).get(name)

// Cache of the last file: the file is queried for each of its notes, so without the cache a file with 5,000 notes would
// be split 5,000 times.
let known: { readonly text: string; readonly entries: ReadonlyMap<string, NoteEntry> } = {
  text: '',
  entries: new Map(),
}

function entriesOf(text: string): ReadonlyMap<string, NoteEntry> {
  // Replaced even if equal: comparing two copies of a long text is slow, comparing one with itself is not.
  known = { text, entries: known.text === text ? known.entries : readEntries(text) }
  return known.entries
}

/** The file without some of its notes; empty if only whitespace is left. */
export function withoutEntries(text: string, gone: (entry: NoteEntry) => boolean): string {
  const kept = noteEntries(text).filter((entry) => !gone(entry))
  return kept.length === 0 ? '' : kept.map((entry) => entry.text).join('')
}

/**
 * Escapes a note with its heading, so that no line can start another note, which would lack the first note's tags and
 * owner.
 */
export function escapeEntries(note: string): string {
  const second = readStarts(note)[1]
  if (second === undefined) return note
  return escapeEntries(`${note.slice(0, second)}\\${note.slice(second)}`)
}

function readStarts(text: string): number[] {
  const lines = readLines(text)
  return findStarts(lines).map(({ line }) => lines.start(line))
}

const OWN_HEADING = /^## \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z[ \t]*$/
const HEADING = /^ {0,3}(#{1,3})[ \t]+(\S.*?)[ \t]*#*[ \t]*$/
const TIME = /^(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d)(?!\d)/
// Name of the text before the first heading.
const TOP = '(top)'

interface Start {
  readonly line: number
  readonly heading: string
}

function readEntries(text: string): Map<string, NoteEntry> {
  const lines = readLines(text)
  const starts = findStarts(lines)
  const entries = new Map<string, NoteEntry>()
  const sameNamed = new Map<string, number>()
  for (const [i, { line, heading }] of starts.entries()) {
    const start = lines.start(line)
    const end = lines.start(starts[i + 1]?.line ?? lines.count)
    const own = text.slice(start, end)
    if (own.trim() === '') continue
    const wanted = heading === '' ? TOP : heading
    const before = sameNamed.get(wanted) ?? 0
    sameNamed.set(wanted, before + 1)
    // Headings contain no line break, so the name of a duplicate is unique.
    const name = before === 0 ? wanted : `${wanted}\n${before + 1}`
    entries.set(name, { ...readNoteHead(own, heading), name, start, end, line: line + 1, heading, text: own })
  }
  return entries
}

function findStarts(lines: TextLines): Start[] {
  const starts: Start[] = [{ line: 0, heading: '' }]
  let fence: string | undefined
  let isTimed = false
  const begin = (line: number, heading: string) => {
    if (line === 0) starts.length = 0
    starts.push({ line, heading })
    isTimed = TIME.test(heading)
  }
  for (let number = afterFrontmatter(lines); number < lines.count; number++) {
    const line = lines.line(number)
    // Written by Ken, and escaped inside notes. Recognised even inside a fence: an unclosed fence in one note must not
    // swallow the following notes.
    if (OWN_HEADING.test(line)) {
      begin(number, line.slice(3).trim())
      fence = undefined
      continue
    }
    if (fence !== undefined) {
      if (closesFence(line.trim(), fence)) fence = undefined
      continue
    }
    fence = fenceOpening(line)?.mark
    const [, marks, heading] = HEADING.exec(line) ?? []
    if (heading === undefined || fence !== undefined) continue
    if (TIME.test(heading) || (marks!.length < 3 && (!isTimed || hasHead(lines, number + 1)))) begin(number, heading)
  }
  return starts
}

/** Whether a line of tags or an owner line follows a heading, which then begins a note, wherever it is. */
function hasHead(lines: TextLines, from: number): boolean {
  let line = from
  while (line < lines.count && lines.line(line).trim() === '') line++
  const { tags, owner } = readNoteHead(line < lines.count ? lines.line(line) : '', '')
  return tags.length > 0 || owner !== undefined
}

function afterFrontmatter(lines: TextLines): number {
  if (lines.count === 0 || lines.line(0) !== '---') return 0
  for (let line = 1; line < lines.count; line++) if (/^(?:---|\.\.\.)[ \t]*$/.test(lines.line(line))) return line + 1
  return 0
}

/** Facts stated in a note. */
interface NoteHead {
  /** Text of the heading besides the time, otherwise the first line of the text; empty if there is no text. */
  readonly title: string
  readonly tags: readonly string[]
  /** Milliseconds; undefined if the heading has no date. */
  readonly at: number | undefined
  /** Undefined if not stated. */
  readonly owner: NoteOwner | undefined
  /** True if the note has text besides its heading. */
  readonly hasText: boolean
}

const LONGEST_TITLE = 80

/** `text` is the whole note, including any heading. */
function readNoteHead(text: string, heading: string): NoteHead {
  const lines = text.split(/\r?\n/).slice(heading === '' ? 0 : 1)
  const tags = new Set<string>()
  let owner: NoteOwner | undefined
  let first: string | undefined
  let fence: string | undefined
  for (const line of lines) {
    if (fence !== undefined) {
      if (closesFence(line.trim(), fence)) fence = undefined
      continue
    }
    fence = fenceOpening(line)?.mark
    const list = /^tags:[ \t]*(\S.*)$/i.exec(line)?.[1]
    if (list !== undefined) for (const tag of tagsIn(list)) tags.add(tag)
    // Only an owner line above the text counts: a quoted one has no effect.
    const said = first === undefined && owner === undefined ? readOwnerLine(line) : undefined
    owner ??= said
    if (list === undefined && said === undefined && line.trim() !== '') first ??= plainLine(line)
  }
  return {
    title: ellipsis(beyondTime(heading) || (first ?? ''), LONGEST_TITLE),
    tags: [...tags],
    at: timeIn(heading),
    owner,
    hasText: first !== undefined,
  }
}

function tagsIn(list: string): string[] {
  return list
    .replace(/^\[(.*)\]$/, '$1')
    .split(',')
    .map((tag) => tag.trim().replace(/^["'#]+|["']+$/g, ''))
    .filter((tag) => tag !== '')
}

const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ](\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?/

function timeIn(heading: string): number | undefined {
  const [, day, clock, zone] = DAY.exec(heading) ?? []
  if (day === undefined) return undefined
  const time = Date.parse(clock === undefined ? day : `${day}T${clock.replace(/^\d:/, '0$&')}${zone ?? 'Z'}`)
  return Number.isFinite(time) ? time : undefined
}

const beyondTime = (heading: string): string =>
  heading
    .replace(DAY, '')
    .replace(/^\d{1,2}:\d\d(?::\d\d)?/, '')
    .replace(/^[\s:–—-]+/, '')

const plainLine = (line: string): string =>
  line
    .replace(/^[\s>]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,3}[.)][ \t]+)?/, '')
    .replace(/\*\*|__|`/g, '')
    .trim()
