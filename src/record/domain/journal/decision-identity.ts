import { sha256 } from '../../../kernel/domain/sha256.ts'
import { decisionNumber, HIGHEST_FOLLOWED } from '../decision/decision-id.ts'
import type { JournalEvent } from './event.ts'

/** Current and former names of a record's decisions, from its journal. */
export interface Identities {
  /** Permanent ids of decisions, by current stem or, for a removed decision, its last stem. */
  readonly ids: ReadonlyMap<string, string>
  /** Numbers that decisions had before they were renumbered, oldest first. */
  readonly moved: readonly MovedNumber[]
  /** The highest number ever assigned; numbers are never reused, even after a decision is removed. */
  readonly highest: number
}

export interface MovedNumber {
  readonly num: number
  readonly id: string
  readonly at: string
}

/** Identities from the journal so far, extended with each further event. */
export class IdentityLog implements Identities {
  readonly ids: Map<string, string>
  readonly moved: MovedNumber[]
  highest: number
  /** Stems whose id was set since this log was created. */
  readonly changed = new Set<string>()
  readonly #known: Set<string>

  constructor(before?: Identities) {
    this.ids = new Map(before?.ids)
    this.moved = [...(before?.moved ?? [])]
    this.highest = before?.highest ?? 0
    this.#known = new Set(this.moved.map(keyOf))
  }

  follow(events: Iterable<JournalEvent>): this {
    for (const event of events) this.#take(event)
    return this
  }

  #take(event: JournalEvent): void {
    const files = Object.entries(event.files ?? {}).flatMap(([path, hash]) => {
      const stem = /^decisions\/(.+)\.md$/.exec(path)?.[1]
      return stem === undefined ? [] : [{ stem, isThere: hash !== null }]
    })
    const gone = files.filter(({ isThere }) => !isThere).map(({ stem }) => stem)
    const goneBy = new Map(gone.toReversed().map((stem) => [decisionNumber(stem), stem]))
    this.#move(event, new Set(gone))
    for (const { stem, isThere } of files) {
      const num = decisionNumber(stem) ?? 0
      if (num <= HIGHEST_FOLLOWED) this.highest = Math.max(this.highest, num)
      if (!isThere || this.ids.has(stem)) continue
      // A new title changes the file name; the number stays the same.
      const before = goneBy.get(decisionNumber(stem))
      this.#set(stem, (before && this.ids.get(before)) ?? newId(event, stem))
    }
  }

  #move(event: JournalEvent, gone: ReadonlySet<string>): void {
    const moves = movesIn(event.facts?.['renumbered'])
    // Reads all ids first: a decision may move to the former name of another.
    const known = new Map(moves.map(({ from }) => [from, this.ids.get(from)]))
    for (const { from, to } of moves) {
      // Two decisions may have shared a name; the file that remains keeps the id.
      const id = (gone.has(from) ? known.get(from) : undefined) ?? newId(event, to)
      // A decision moves to one place.
      known.delete(from)
      this.#set(to, id)
      const move = { num: decisionNumber(from) ?? 0, id, at: event.at }
      // A line that was incomplete when first read is read twice.
      if (this.#known.has(keyOf(move))) continue
      this.#known.add(keyOf(move))
      this.moved.push(move)
    }
  }

  #set(stem: string, id: string): void {
    this.ids.set(stem, id)
    this.changed.add(stem)
  }
}

const keyOf = ({ num, id }: MovedNumber): string => `${num} ${id}`

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 7

/** Derived from the event's id, so it is the same on every machine. */
function newId(event: JournalEvent, stem: string): string {
  const digest = sha256(`${event.id}\n${stem}`)
  const letters = Array.from(
    { length: LENGTH },
    (_, at) => LETTERS[Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16) % 32],
  )
  return `d_${letters.join('')}`
}

export const isDecisionId = (text: string): boolean => /^d_[0-9a-hjkmnp-tv-z]{7}$/.test(text)

export function movesIn(moves: unknown): { readonly from: string; readonly to: string }[] {
  return (Array.isArray(moves) ? moves : []).flatMap((move: { from?: unknown; to?: unknown } | null) =>
    typeof move?.from === 'string' && typeof move.to === 'string' ? [{ from: move.from, to: move.to }] : [],
  )
}
