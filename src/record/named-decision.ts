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

/** The permanent id of a decision; undefined if the journal does not know it. */
export const lastingId = ({ identities }: Catalogue, { stem }: CatalogueEntry): string | undefined =>
  identities?.().ids.get(stem)

/** Decisions that used to have a number. */
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
    return other && { entry: other.entry, note: `${label(num)} is ${label(other.entry.num)} since ${day(other.at)}.` }
  }
  if (others.length === 0) return { entry }
  const told = others.map((other) => `${titled(other.entry)} was called ${label(num)} until ${day(other.at)}`)
  return { entry, note: `${told.join('; ')}.` }
}

/**
 * The same for writing. If the number meant another decision on this machine before, changes nothing: `asks` lists the
 * possible decisions and an unambiguous name for each.
 */
export function writeNamed(
  catalogue: Catalogue,
  named: number | string,
  isMovedHere: (at: string) => boolean = () => true,
): { readonly entry: CatalogueEntry } | { readonly asks: string } | undefined {
  const byId = entryById(catalogue, named)
  if (byId !== undefined) return { entry: byId }
  const num = numberIn(named)
  if (num === undefined) return undefined
  const entry = entryOf(catalogue.decisions, num)
  const others = formerly(catalogue, num).filter(({ at }) => isMovedHere(at))
  if (others.length === 0) return entry && { entry }
  const choices = [
    ...others.map(
      (other) =>
        `${label(other.entry.num)} for ${quoted(other.entry)}, which was called ${label(num)} until ${day(other.at)}`,
    ),
    ...(entry === undefined
      ? []
      : [`${lastingId(catalogue, entry) ?? label(num)} for ${quoted(entry)}, which is ${label(num)} now`]),
  ]
  return { asks: `${label(num)} has changed hands, so nothing was written. Say ${choices.join(', or ')}.` }
}

/** Whether a number moved on this machine: one that moved elsewhere was never seen here with its old number. */
export async function movedHere(store: Pick<Store, 'project' | 'snapshots'>): Promise<(at: string) => boolean> {
  if (store.project.mode !== 'cloud') return () => true
  const taken = new Set((await store.snapshots.list()).map(({ timestamp }) => timestamp))
  return (at) => taken.has(at)
}

function entryById(catalogue: Catalogue, named: number | string): CatalogueEntry | undefined {
  if (typeof named === 'number' || !isDecisionId(named.trim())) return undefined
  const ids = catalogue.identities?.().ids
  return catalogue.decisions.find(({ stem }) => ids?.get(stem) === named.trim())
}

const numberIn = (named: number | string): number | undefined =>
  typeof named === 'number' ? named : decisionNumber(named.trim())
const day = (at: string): string => at.slice(0, 10)
const quoted = ({ title }: CatalogueEntry): string => `"${title}"`
const titled = (entry: CatalogueEntry): string => `${label(entry.num)} ${quoted(entry)}`
