import type { Decision } from '../decision/decision.ts'
import { NO_REASON } from '../import/nygard.ts'
import { KNOWN_NAMES, type Wanted, mentionsIn, wantedIds } from './mentions.ts'
import { type NamedThing, namedThings } from './named-thing.ts'
import { isRejected } from './stance.ts'

/** The ids of everything a decision chose (from the alias table) and rejected, to match against a text. */
export interface DecisionNames {
  readonly chosen: readonly string[]
  readonly rejected: readonly string[]
}

/** A rejected alternative and one of the things that identify it. */
export interface RejectedThing {
  readonly alternative: string
  readonly reason: string | null
  readonly thing: NamedThing
}

export function namesOf(decision: Pick<Decision, 'title' | 'rationale' | 'rejected'>): DecisionNames {
  return {
    chosen: chosenIn(decision.title, KNOWN_NAMES),
    rejected: [...new Set(rejectedThings(decision).map(({ thing }) => thing.id))],
  }
}

/** "Chosen option: Flask + APIFlask": the title of such a decision may name only the subject. */
const CHOSEN_OPTION =
  /^\W*(?:chosen|selected) (?:option|alternative|solution|approach)s?\b\W*(.{1,200}?)(?=\b(?:because|since|instead of|rather than|over)\b|[.;]\s|$)/im

/** Omits a rejected way to use a thing that the decision chose ("Postgres without extensions"). */
export function rejectedThings({
  title,
  rationale,
  rejected,
}: Pick<Decision, 'title' | 'rationale' | 'rejected'>): RejectedThing[] {
  if (rejected.length === 0) return []
  const context = [title, rationale, ...rejected.map((each) => each.reason ?? '')].join('\n')
  const all = rejected.flatMap(({ name, reason }) =>
    namedThings(name, context).map((thing) => ({
      alternative: name,
      reason: reason === NO_REASON ? null : reason,
      thing,
    })),
  )
  const wanted = wantedIds(all.map(({ thing }) => thing.id))
  const own = new Set([...chosenIn(title, wanted), ...chosenIn(CHOSEN_OPTION.exec(rationale)?.[1] ?? '', wanted)])
  return all.filter(({ thing }) => !own.has(thing.id))
}

/** The things a title adopts: "REST instead of GraphQL" does not choose GraphQL, "No Redis" chooses nothing. */
export function chosenIn(title: string, wanted: Wanted): string[] {
  const found = mentionsIn(title, wanted).filter(({ start, end }) => !isRejected(title, start, end))
  return [...new Set(found.flatMap(({ ids }) => ids))]
}
