import type { Decision } from '../decision/decision.ts'
import { KNOWN_NAMES, type Wanted, mentionsIn, wantedIds } from './mentions.ts'
import { type NamedThing, namedThings } from './named-thing.ts'
import { isTurnedAway } from './stance.ts'

/** What the alias table knows of what a decision chose, and all that it turned down, as ids that the words of a text can be held against. */
export interface DecisionNames {
  readonly chosen: readonly string[]
  readonly rejected: readonly string[]
}

/** A rejected alternative and one of the things it is known by. */
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

/** "Postgres without extensions" turns down a way to use what the decision itself chose: that is not among them. */
export function rejectedThings({
  title,
  rationale,
  rejected,
}: Pick<Decision, 'title' | 'rationale' | 'rejected'>): RejectedThing[] {
  if (rejected.length === 0) return []
  const context = [title, rationale, ...rejected.map((each) => each.reason ?? '')].join('\n')
  const all = rejected.flatMap(({ name, reason }) =>
    namedThings(name, context).map((thing) => ({ alternative: name, reason, thing })),
  )
  const wanted = wantedIds(all.map(({ thing }) => thing.id))
  const own = new Set([...chosenIn(title, wanted), ...chosenIn(CHOSEN_OPTION.exec(rationale)?.[1] ?? '', wanted)])
  return all.filter(({ thing }) => !own.has(thing.id))
}

/** What a title says is done: "REST instead of GraphQL" does not choose GraphQL, "No Redis" chooses nothing. */
export function chosenIn(title: string, wanted: Wanted): string[] {
  const found = mentionsIn(title, wanted).filter(({ start, end }) => !isTurnedAway(title, start, end))
  return [...new Set(found.flatMap(({ ids }) => ids))]
}
