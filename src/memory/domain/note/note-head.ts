import { ellipsis } from '../../../kernel/domain/text.ts'
import { closesFence, fenceOpening } from '../../../kernel/domain/text/markdown-fences.ts'
import { readOwnerLine, type NoteOwner } from './note-owner.ts'

/** Facts stated in a note. */
export interface NoteHead {
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
export function readNoteHead(text: string, heading: string): NoteHead {
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
