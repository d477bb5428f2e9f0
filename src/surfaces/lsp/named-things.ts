import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { fileKind } from '../../record/domain/guard/file-kind.ts'
import { turnedDownIn } from '../../record/domain/guard/returns.ts'
import type { RecordTexts } from '../../record/domain/guard/turned-down.ts'
import { KNOWN_NAMES, mentionsIn, type Wanted } from '../../record/domain/names/mentions.ts'
import { isWord } from '../../record/domain/names/named-in.ts'
import { thingsOfPackage } from '../../record/domain/names/package-names.ts'
import { MAY_IMPORT } from '../../record/read-changes.ts'

/** A decision that chose or rejected an option. */
export interface NamedBy {
  readonly entry: CatalogueEntry
  readonly stance: 'chosen' | 'rejected'
  /** The title of the decision that chose it, or the rejection with its reason. */
  readonly text: string
}

export interface NamedThingAt {
  readonly spelled: string
  readonly start: number
  readonly end: number
  readonly by: readonly NamedBy[]
}

const LONGEST_LINE = 2_000
const MOST = 6

/** The package or product at a position in a line, with the decisions that chose or rejected it, newest first. */
export function thingAt(line: string, at: number, path: string, record: RecordTexts): NamedThingAt | undefined {
  if (line.length > LONGEST_LINE) return undefined
  const { wanted, byId } = turnedDownIn(record)
  const chosenBy = chosenIn(record)
  const isNamed: Wanted = { has: (id) => wanted.has(id) || chosenBy.has(id), begins: wanted.begins }
  const namesPackages = fileKind(path) === 'manifest' || MAY_IMPORT.test(line)
  const places = [
    ...mentionsIn(line, isNamed)
      .filter((mention) => !mention.isOrdinary || namesPackages)
      .map(({ ids, start, end, spelled }) => ({ ids: ids.filter((id) => !isWord(id)), start, end, spelled })),
    ...(namesPackages ? packagesIn(line) : []).map((each) => ({
      ...each,
      ids: thingsOfPackage(each.spelled, isNamed),
    })),
  ]
  for (const { ids, start, end, spelled } of places) {
    if (at < start || at > end) continue
    const by = [
      ...ids
        .flatMap((id) => byId.get(id) ?? [])
        .map(({ entry, because }): NamedBy => ({ entry, stance: 'rejected', text: because })),
      ...ids
        .flatMap((id) => chosenBy.get(id) ?? [])
        .map((entry): NamedBy => ({ entry, stance: 'chosen', text: entry.title })),
    ].sort((a, b) => b.entry.num - a.entry.num)
    const distinct = [...new Map(by.map((each) => [`${each.stance}${each.text}`, each])).values()]
    if (distinct.length > 0) return { spelled, start, end, by: distinct.slice(0, MOST) }
  }
  return undefined
}

/** What may be a package name: quoted or bare, with a scope or a host. */
const packagesIn = (line: string) =>
  [...line.matchAll(/[@\w][\w@./:-]*\w/g)].map(({ 0: spelled, index }) => ({
    spelled,
    start: index,
    end: index + spelled.length,
  }))

// Cached by identity: a record is the same object until it changes.
const chosen = new WeakMap<RecordTexts, ReadonlyMap<string, readonly CatalogueEntry[]>>()

function chosenIn(record: RecordTexts): ReadonlyMap<string, readonly CatalogueEntry[]> {
  const known = chosen.get(record)
  if (known !== undefined) return known
  const found = new Map<string, CatalogueEntry[]>()
  for (const entry of record.decisions) {
    if (entry.status !== 'active') continue
    for (const id of entry.names?.chosen ?? [])
      if (KNOWN_NAMES.has(id)) found.set(id, [...(found.get(id) ?? []), entry])
  }
  chosen.set(record, found)
  return found
}
