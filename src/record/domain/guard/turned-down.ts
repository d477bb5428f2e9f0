import { briefReason } from '../decision/brief-reason.ts'
import type { CatalogueEntry } from '../decision/catalogue.ts'
import { isSeed, label, type Decision } from '../decision/decision.ts'
import { inferredFrom, isInferred, rejectedPhrase } from '../decision/inferred.ts'
import { wantedIds } from '../names/mentions.ts'
import { namedThings, type NamedThing } from '../names/named-thing.ts'
import { chosenIn } from '../names/names-of.ts'
import { type Lineage, lineageOf, standingRejections } from '../standing-rejections.ts'

/** Something the record rejects: a currently rejected alternative, or a superseded decision. */
export interface TurnedDown {
  readonly thing: NamedThing
  readonly entry: CatalogueEntry
  readonly because: string
  /** True if a newer active decision has the option in its title: it may be wanted. */
  readonly isChosenElsewhere: boolean
  /** True if an import inferred it from a sentence and nobody has reviewed it: worth a note, never a failure. */
  readonly isInferred: boolean
}

export interface RecordTexts {
  readonly decisions: readonly CatalogueEntry[]
  /** By stem; without decisions with unreadable text. */
  readonly texts: ReadonlyMap<string, Decision>
}

export function everythingTurnedDown(record: RecordTexts): TurnedDown[] {
  const active = record.decisions.filter((entry) => entry.status === 'active' && !isSeed(entry))
  const lineage = lineageOf(record.decisions)
  const all = [...active.flatMap((entry) => rejectedThrough(entry, lineage, record)), ...replaced(record)]
  const ids = wantedIds(all.map(({ thing }) => thing.id))
  // The newest decision that chose each thing: decisions are sorted by number, and later ones overwrite earlier ones.
  const chosen = new Map(active.flatMap(({ title, num }) => chosenIn(title, ids).map((id) => [id, num])))
  return all
    .filter(({ entry, thing }) => entry.status === 'active' || !chosen.has(thing.id))
    .map(({ since, ...each }) => ({ ...each, isChosenElsewhere: (chosen.get(each.thing.id) ?? 0) > since }))
}

interface Rejected extends Omit<TurnedDown, 'isChosenElsewhere'> {
  /** The number of the decision that first rejected the option. */
  readonly since: number
}

function rejectedThrough(entry: CatalogueEntry, lineage: Lineage, { texts }: RecordTexts): Rejected[] {
  return standingRejections(entry, lineage, ({ stem }) => texts.get(stem)).map(({ alternative, reason, thing, by }) => {
    const kept = by === entry ? '' : `, and ${label(entry.num)} "${entry.title}" keeps it so`
    const why = reason === null ? '' : ` (${briefReason(inferredFrom({ reason }) ?? reason)})`
    return {
      thing,
      entry,
      since: by.num,
      isInferred: isInferred({ reason }),
      because: `${label(by.num)} "${by.title}" ${rejectedPhrase({ name: alternative, reason })}${why}${kept}`,
    }
  })
}

/** The titles of superseded decisions are sentences: only a package can be matched with the names in them. */
function replaced({ decisions, texts }: RecordTexts): Rejected[] {
  const titles = new Map(decisions.map((entry) => [entry.num, entry.title]))
  return decisions
    .filter((entry) => entry.status === 'superseded')
    .flatMap((entry) => {
      const successor = Number(entry.superseded_by)
      const title = titles.get(successor)
      const because = `${label(entry.num)} "${entry.title}" was replaced by ${label(successor)}${title === undefined ? '' : ` "${title}"`}`
      return namedThings(entry.title, texts.get(entry.stem)?.rationale ?? '')
        .filter((thing) => thing.inCode !== 'never')
        .map((thing) => ({
          thing: { ...thing, inCode: 'never' as const },
          entry,
          since: entry.num,
          because,
          isInferred: false,
        }))
    })
}
