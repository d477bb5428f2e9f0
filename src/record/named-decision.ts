import type { Catalogue, CatalogueEntry } from './domain/decision/catalogue.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { label } from './domain/decision/decision.ts'
import { isDecisionId } from './domain/journal/decision-identity.ts'
import type { Store } from './ports/store.ts'
import { entryOf } from './read-decision.ts'

/** A decision that had this number before it was renumbered. */
interface Formerly {
  readonly entry: CatalogueEntry
  readonly at: string
}

/** The permanent id of a decision; undefined if the journal has none, or assigns it to several. */
export function lastingId(catalogue: Catalogue, { stem }: CatalogueEntry): string | undefined {
  const id = catalogue.identities?.().ids.get(stem)
  return id === undefined || entryById(catalogue, id) === undefined ? undefined : id
}

/** Decisions that had a number before they were renumbered. */
function formerly(catalogue: Catalogue, num: number): Formerly[] {
  const { moved = [], ids } = catalogue.identities?.() ?? {}
  const left = moved.filter((move) => move.num === num)
  if (left.length === 0) return []
  const byId = new Map(catalogue.decisions.map((entry) => [ids?.get(entry.stem), entry]))
  return left.flatMap(({ id, at }) => {
    const entry = byId.get(id)
    return entry === undefined || entry.num === num ? [] : [{ entry, at }]
  })
}

export interface NamedDecision {
  readonly entry: CatalogueEntry
  /** A hint for the reader: the number belonged to another decision, or was reassigned. */
  readonly note?: string
}

/** The decision for a number or an id, for reading; follows an old number. */
export function readNamed(catalogue: Catalogue, named: number | string): NamedDecision | undefined {
  const byId = entryById(catalogue, named)
  if (byId !== undefined) return { entry: byId }
  const num = numberIn(named)
  if (num === undefined) return undefined
  const entry = entryOf(catalogue.decisions, num)
  const others = formerly(catalogue, num)
  if (entry === undefined) {
    const [other] = others
    return (
      other && {
        entry: other.entry,
        note: `${label(num)} is ${label(other.entry.num)}${day(other.at) === undefined ? ' now' : ` since ${day(other.at)}`}.`,
      }
    )
  }
  if (others.length === 0) return { entry }
  const told = others.map((other) => `${titled(other.entry)} was called ${label(num)}${until(other.at)}`)
  return { entry, note: `${told.join('; ')}.` }
}

/**
 * Like `readNamed`, for writing. If the number previously meant another decision on this machine, changes nothing:
 * `asks` lists the possible decisions and an unambiguous name for each.
 */
export function writeNamed(
  catalogue: Catalogue,
  named: number | string,
  { isMovedHere, isReviewed }: NumbersHere = { isMovedHere: () => true, isReviewed: true },
): { readonly entry: CatalogueEntry } | { readonly asks: string } | undefined {
  const byId = entryById(catalogue, named)
  if (byId !== undefined) return { entry: byId }
  const num = numberIn(named)
  if (num === undefined) return undefined
  const entry = entryOf(catalogue.decisions, num)
  const others = formerly(catalogue, num).filter(({ at }) => isMovedHere(at))
  if (others.length === 0) return entry && { entry }
  // A refusal is not in an envelope, so it must not quote a record that nobody here has reviewed.
  const meaning = (one: CatalogueEntry) => (isReviewed ? ` for ${quoted(one)}` : '')
  const choices = [
    ...others.map(
      (other) => `${label(other.entry.num)}${meaning(other.entry)}, which was called ${label(num)}${until(other.at)}`,
    ),
    ...(entry === undefined
      ? []
      : [`${lastingId(catalogue, entry) ?? label(num)}${meaning(entry)}, which is ${label(num)} now`]),
  ]
  return { asks: `${label(num)} has changed hands, so nothing was written. Say ${choices.join(', or ')}.` }
}

/** Facts about a store's decision numbers and titles that writing depends on. */
export interface NumbersHere {
  /**
   * Whether a decision number was reassigned on this machine: a number reassigned elsewhere was never shown here for
   * the old decision.
   */
  isMovedHere(at: string): boolean
  /** False if the record came with a clone and nobody here has reviewed it. */
  readonly isReviewed: boolean
}

export async function numbersHere(store: Pick<Store, 'project' | 'snapshots'>): Promise<NumbersHere> {
  const isReviewed = store.project.fromClone !== true
  if (store.project.mode !== 'cloud') return { isMovedHere: () => true, isReviewed }
  const taken = new Set((await store.snapshots.list()).map(({ timestamp }) => timestamp))
  return { isMovedHere: (at) => taken.has(at), isReviewed }
}

function entryById(catalogue: Catalogue, named: number | string): CatalogueEntry | undefined {
  if (typeof named === 'number' || !isDecisionId(named.trim())) return undefined
  const ids = catalogue.identities?.().ids
  const found = catalogue.decisions.filter(({ stem }) => ids?.get(stem) === named.trim())
  return found.length === 1 ? found[0] : undefined
}

const numberIn = (named: number | string): number | undefined =>
  typeof named === 'number' ? named : decisionNumber(named.trim())

/** Undefined if a journal from elsewhere has something other than a time. */
const day = (at: unknown): string | undefined => /^\d{4}-\d\d-\d\d(?=T|$)/.exec(String(at))?.[0]
const until = (at: unknown): string => (day(at) === undefined ? ' before' : ` until ${day(at)}`)
const quoted = ({ title }: CatalogueEntry): string => `"${title}"`
const titled = (entry: CatalogueEntry): string => `${label(entry.num)} ${quoted(entry)}`
