import { count } from '../../kernel/domain/answer-budget.ts'
import { isListedFile } from './record-path.ts'

/** Which moment of the past a record is shown as of, and what of it is not known any more. */
export interface AsOf {
  /** Everything that happened at or before it counts. ISO. */
  readonly at: string
  /** The moment as it was named: a commit or a snapshot; undefined where it is a time. */
  readonly named: string | undefined
  /** The last event of the journal that counts; undefined where none does. */
  readonly event: { readonly id: string; readonly at: string } | undefined
  /** Files that were there, whose text of then nobody holds any more. */
  readonly unknown: readonly string[]
  /** What a reader must know besides, each a sentence of Ken's own. */
  readonly notes: readonly string[]
}

const MOST_NAMED = 10

/**
 * Says in front of an answer which moment it is about, so that nobody takes it for the present. `total`: how many files
 * are unknown, where only some are named.
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

// Ids and file names are anyone's text, and these lines are Ken's.
const eventName = (id: string): string => (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id : 'of an odd name')
const shownPath = (path: string): string =>
  isListedFile(path) && /^[\p{L}\p{N}_./-]{1,120}$/u.test(path) ? path : 'a file of an odd name'
