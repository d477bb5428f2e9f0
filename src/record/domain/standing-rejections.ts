import type { CatalogueEntry } from './decision/catalogue.ts'
import { type Decision, isSeed } from './decision/decision.ts'
import { isNotInForceTitle } from './import/not-in-force.ts'
import { mentionsIn, wantedIds } from './names/mentions.ts'
import { namedThings } from './names/named-thing.ts'
import { chosenIn, type RejectedThing, rejectedThings } from './names/names-of.ts'
import { isRejected } from './names/stance.ts'

export interface StandingRejection extends RejectedThing {
  /** The decision that rejected the alternative; its date is the date of the rejection. */
  readonly by: CatalogueEntry
  /** The active decision that keeps the rejection in force: the same one, or its successor. */
  readonly holder: CatalogueEntry
}

/** Supersessions between decisions. */
export interface Lineage {
  /** The active decision at the end of the entry's chain; undefined if there is none. */
  headOf(entry: CatalogueEntry): CatalogueEntry | undefined
  /** The decision and all that it replaced over time, newest first. */
  behind(head: CatalogueEntry): readonly CatalogueEntry[]
}

export function lineageOf(decisions: readonly CatalogueEntry[]): Lineage {
  const byNumber = new Map(decisions.map((entry) => [entry.num, entry]))
  const heads = new Map<string, CatalogueEntry | undefined>()
  const members = new Map<string, CatalogueEntry[]>()
  for (const entry of decisions) {
    const head = walkToHead(entry, byNumber)
    heads.set(entry.stem, head)
    if (head === undefined) continue
    const known = members.get(head.stem)
    if (known === undefined) members.set(head.stem, [entry])
    else known.push(entry)
  }
  return {
    headOf: ({ stem }) => heads.get(stem),
    behind: ({ stem }) => (members.get(stem) ?? []).toSorted((a, b) => b.num - a.num),
  }
}

function walkToHead(entry: CatalogueEntry, byNumber: ReadonlyMap<number, CatalogueEntry>): CatalogueEntry | undefined {
  const seen = new Set<CatalogueEntry>()
  let at: CatalogueEntry | undefined = entry
  while (at !== undefined && at.status === 'superseded' && !seen.has(at)) {
    seen.add(at)
    at = byNumber.get(Number(at.superseded_by))
  }
  // A decision that an import made only to list ended ADRs keeps none of them in force.
  const isCollected = at !== entry && at !== undefined && isNotInForceTitle(at.title)
  return at === undefined || at.status !== 'active' || isSeed(at) || isCollected ? undefined : at
}

/**
 * Rejections in force through an active decision: its own, and those of all decisions it replaced, unless a later
 * decision chose the thing or lifted the rejection. `textOf` may lack a decision that cannot be read.
 */
export function standingRejections(
  holder: CatalogueEntry,
  lineage: Lineage,
  textOf: (entry: CatalogueEntry) => Decision | undefined,
): StandingRejection[] {
  const all = lineage.behind(holder)
  const standing: StandingRejection[] = []
  for (const by of all) {
    const decision = textOf(by)
    if (decision === undefined) continue
    const later = successorsOf(by, all).flatMap((entry) => textOf(entry) ?? [])
    for (const rejected of rejectedThings(decision))
      if (!standing.some(({ thing }) => thing.id === rejected.thing.id) && !isEnded(rejected, later))
        standing.push({ ...rejected, by, holder })
  }
  return standing
}

/** Rejections that an active decision inherits without stating them, each alternative once. */
export function keptRejections(standing: readonly StandingRejection[]): StandingRejection[] {
  const kept = standing.filter(({ by, holder }) => by !== holder)
  return [...new Map(kept.toReversed().map((each) => [each.alternative, each])).values()].reverse()
}

/** The successors of a decision, in order. */
function successorsOf(entry: CatalogueEntry, all: readonly CatalogueEntry[]): CatalogueEntry[] {
  const found: CatalogueEntry[] = []
  let at: CatalogueEntry | undefined = entry
  while (at !== undefined && at.status === 'superseded' && found.length < all.length) {
    const next: number = Number(at.superseded_by)
    at = all.find(({ num }) => num === next)
    if (at !== undefined) found.push(at)
  }
  return found
}

const isEnded = (rejected: RejectedThing, later: readonly Decision[]): boolean =>
  later.some((decision) => ends(decision, rejected))

/**
 * Whether a decision that replaces another ends one of its rejections, by choosing the thing or lifting the rejection.
 */
export const ends = (decision: Pick<Decision, 'title' | 'rationale'>, rejected: RejectedThing): boolean =>
  lifts(decision, rejected) || chooses(decision, rejected.thing.id)

function chooses({ title, rationale }: Pick<Decision, 'title' | 'rationale'>, id: string): boolean {
  const wanted = wantedIds([id])
  if (chosenIn(title, wanted).includes(id)) return true
  return mentionsIn(rationale, wanted).some(
    ({ ids, start, end }) =>
      ids.includes(id) &&
      TAKEN_UP.test(rationale.slice(Math.max(0, start - 60), start)) &&
      !isRejected(rationale, start, end),
  )
}

/** Explicit adoption only: "problems with winston" does not adopt it. */
const TAKEN_UP =
  /\b(?:us(?:e|es|ing)|adopt(?:s|ing)?|choos(?:e|es|ing)|pick(?:s|ing)?|select(?:s|ing)?|go(?:es|ing)? (?:back to|with|for)|return(?:s|ing)? to|switch(?:es|ing)? (?:back )?to|mov(?:e|es|ing) (?:back )?to|migrat(?:e|es|ing) to|settle on)(?: (?:a|an|the|our))?\s*[`"']?$/i

const LIFTED = /^Lifts the rejection of (.+)\.$/gm
const MOST_LIFTS = 50

/** A decision's line that lifts a rejection. */
export const liftLine = (alternative: string): string => `Lifts the rejection of ${alternative}.`

function lifts({ rationale }: Pick<Decision, 'rationale'>, { alternative, thing }: RejectedThing): boolean {
  const lifted = [...rationale.matchAll(LIFTED)].slice(0, MOST_LIFTS).map((found) => found[1]!)
  return lifted.some((name) => isSameName(name, alternative) || namedThings(name, '').some(({ id }) => id === thing.id))
}

export const isSameName = (a: string, b: string): boolean =>
  a.replaceAll(/\s+/g, ' ').trim().toLowerCase() === b.replaceAll(/\s+/g, ' ').trim().toLowerCase()
