import { count } from '../../kernel/domain/answer-budget.ts'
import { isListedFile } from './record-path.ts'

/** The past moment that a record is shown as of, and the parts of it that are no longer known. */
export interface AsOf {
  /** ISO time; everything up to and including it counts. */
  readonly at: string
  /** The commit or snapshot that named the moment; undefined if it was given as a time. */
  readonly named: string | undefined
  /** The last journal event at or before the moment; undefined if there is none. */
  readonly event: { readonly id: string; readonly at: string } | undefined
  /** Files that existed at that moment, but whose text is no longer available. */
  readonly unknown: readonly string[]
  /** Further notes for the reader, each a sentence by Ken. */
  readonly notes: readonly string[]
}

const MOST_NAMED = 10

/**
 * States the moment before an answer, so that it is not mistaken for the present. `total`: number of unknown files, if
 * only some are named.
 */
export function asOfLines({ at, named, event, unknown, notes }: AsOf, total = unknown.length): string[] {
  const time = momentText(at)
  const last = event === undefined ? '' : `; last journal event ${eventName(event.id)} of ${momentText(event.at)}`
  return [
    `As of ${named === undefined ? time : `${named}, ${time}`}${last}. Later changes are left out.`,
    ...notes,
    ...(unknown.length === 0 ? [] : [unknownLine(unknown, total)]),
  ]
}

/** `2026-03-01, end of the day (UTC)`, `2026-03-01 10:00:00 UTC`. */
export function momentText(iso: string): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return 'an unreadable time'
  const text = new Date(time).toISOString()
  return text.endsWith('T23:59:59.999Z')
    ? `${text.slice(0, -14)}, end of the day (UTC)`
    : `${text.slice(0, -5).replace('T', ' ')} UTC`
}

function unknownLine(paths: readonly string[], total: number): string {
  const more = total - Math.min(paths.length, MOST_NAMED)
  return `Not known as of then, because no snapshot or commit holds the text any more: ${paths.slice(0, MOST_NAMED).map(shownPath).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}.`
}

// Ids and file names are untrusted text and must not add words to Ken's lines.
const eventName = (id: string): string => (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id : 'of an odd name')
const shownPath = (path: string): string =>
  isListedFile(path) && /^[\p{L}\p{N}_./-]{1,120}$/u.test(path) ? path : 'a file of an odd name'
