import type { CatalogueEntry } from '../decision/catalogue.ts'
import { isSeed, label, type Decision } from '../decision/decision.ts'
import { inferredFrom, isInferred, rejectedPhrase } from '../decision/inferred.ts'
import { wantedIds } from '../names/mentions.ts'
import { namedThings, type NamedThing } from '../names/named-thing.ts'
import { chosenIn, rejectedThings } from '../names/names-of.ts'
import { ellipsis } from '../text.ts'

/** Something the record turned down: an alternative rejected by an active decision, or a superseded decision. */
export interface TurnedDown {
  readonly thing: NamedThing
  readonly entry: CatalogueEntry
  readonly because: string
  /** A newer active decision has it in its title: it may well be wanted here. */
  readonly isChosenElsewhere: boolean
  /** An import inferred it from a sentence and nobody has reviewed it: worth a note, never a failure. */
  readonly isInferred: boolean
}

export interface RecordTexts {
  readonly decisions: readonly CatalogueEntry[]
  /** By stem; a decision whose text could not be read is not among them. */
  readonly texts: ReadonlyMap<string, Decision>
}

const LONGEST_REASON = 160

export function everythingTurnedDown(record: RecordTexts): TurnedDown[] {
  const active = record.decisions.filter((entry) => entry.status === 'active' && !isSeed(entry))
  // The newest decision that chose each thing; decisions come by number.
  const all = [...active.flatMap((entry) => rejectedBy(entry, record)), ...replaced(record)]
  const ids = wantedIds(all.map(({ thing }) => thing.id))
  const chosen = new Map(active.flatMap(({ title, num }) => chosenIn(title, ids).map((id) => [id, num])))
  return all
    .filter(({ entry, thing }) => entry.status === 'active' || !chosen.has(thing.id))
    .map((each) => ({ ...each, isChosenElsewhere: (chosen.get(each.thing.id) ?? 0) > each.entry.num }))
}

type Rejected = Omit<TurnedDown, 'isChosenElsewhere'>

function rejectedBy(entry: CatalogueEntry, { texts }: RecordTexts): Rejected[] {
  const text = texts.get(entry.stem)
  if (text === undefined) return []
  return rejectedThings(text).map(({ alternative, reason, thing }) => ({
    thing,
    entry,
    isInferred: isInferred({ reason }),
    because: `${label(entry.num)} "${entry.title}" ${rejectedPhrase({ name: alternative, reason })}${reason === null ? '' : ` (${firstSentence(inferredFrom({ reason }) ?? reason)})`}`,
  }))
}

/** The titles of replaced decisions are sentences: only a package can be matched with the names in them. */
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
        .map((thing) => ({ thing: { ...thing, inCode: 'never' as const }, entry, because, isInferred: false }))
    })
}

const firstSentence = (text: string): string =>
  ellipsis(
    text
      .replace(/\s+/g, ' ')
      .split(/(?<=[.!?])\s/)[0]!
      .replace(/\.$/, ''),
    LONGEST_REASON,
  )
