import type { Catalogue, CatalogueEntry } from '../core/decision/catalogue.ts'
import type { Decision } from '../core/decision/decision.ts'
import { isSeed } from '../core/decision/decision.ts'
import { KNOWN_NAMES, type Wanted, wantedIds } from '../core/names/mentions.ts'
import { type Named, isWord, namedIn } from '../core/names/named-in.ts'
import { rejectedThings } from '../core/names/names-of.ts'
import { sharesTopic } from '../core/names/shares-topic.ts'
import type { Store } from '../ports/store.ts'
import { readDecision } from './read-decision.ts'

/** A rejected alternative of an active decision that a text names, so that it would bring it back. */
export interface NamedRejection {
  readonly entry: CatalogueEntry
  readonly alternative: string
  readonly reason: string
  /** As the text spells it. */
  readonly named: string
  /** False for a word or phrase that no table of names has, which may mean something else. */
  readonly isKnownName: boolean
}

// Each is a file to read; a record that rejects one name in more decisions than this has said it often enough.
const MOST_READ = 40
const AT_ONCE = 8
// Decisions; nobody reads more of them, and a large record may reject one name a hundred times.
const ENOUGH = 5

/**
 * What a text brings back that an active decision rejected, newest decision first. All decisions are held against it,
 * not only those that a search would find, and all of the text is read.
 */
export async function findRejections(
  store: Pick<Store, 'catalogue' | 'read'>,
  text: string,
): Promise<NamedRejection[]> {
  const names = rejectedNames(await store.catalogue())
  if (names.rejectedBy.size === 0) return []
  const named = namedIn(text, names.wanted)
  const candidates = [...new Set(named.flatMap(({ id }) => names.rejectedBy.get(id) ?? []))]
    .sort((a, b) => b.num - a.num)
    .slice(0, MOST_READ)
  const found: NamedRejection[] = []
  const isEnough = () => new Set(found.map(({ entry }) => entry)).size >= ENOUGH
  for (let from = 0; from < candidates.length && !isEnough(); from += AT_ONCE)
    found.push(...(await Promise.all(candidates.slice(from, from + AT_ONCE).map(look))).flat())
  return found

  async function look(entry: CatalogueEntry): Promise<NamedRejection[]> {
    const decision = await readDecision(store, entry.stem)
    return decision === undefined ? [] : rejectionsIn(entry, decision, { text, named, chosen: names.chosen })
  }
}

function rejectionsIn(
  entry: CatalogueEntry,
  decision: Decision,
  { text, named, chosen }: { text: string; named: readonly Named[]; chosen: ReadonlySet<string> },
): NamedRejection[] {
  const things = rejectedThings(decision)
  const found = named.flatMap(({ id, spelled, with: others }) =>
    things
      .filter(({ thing }) => thing.id === id)
      // An ordinary word, or something that another decision chose, is meant only where the text has the same subject.
      .filter(
        ({ alternative }) =>
          (!isWord(id) && !others.some((each) => chosen.has(each))) ||
          sharesTopic(text, decision, { alternative, spelled }),
      )
      .map(({ alternative, reason }) => ({
        entry,
        alternative,
        reason: reason ?? '',
        named: spelled,
        isKnownName: KNOWN_NAMES.has(id),
      })),
  )
  return [...new Map(found.toReversed().map((each) => [each.alternative, each])).values()].reverse()
}

interface RejectedNames {
  readonly rejectedBy: ReadonlyMap<string, readonly CatalogueEntry[]>
  readonly wanted: Wanted
  /** What some active decision has in its title. */
  readonly chosen: ReadonlySet<string>
}

// A catalogue is the same object until a decision changes.
const read = new WeakMap<Catalogue, RejectedNames>()

function rejectedNames(catalogue: Catalogue): RejectedNames {
  const known = read.get(catalogue)
  if (known !== undefined) return known
  const rejectedBy = new Map<string, CatalogueEntry[]>()
  const chosen = new Set<string>()
  for (const entry of catalogue.decisions) {
    if (entry.status !== 'active' || isSeed(entry)) continue
    for (const id of entry.names?.chosen ?? []) chosen.add(id)
    for (const id of entry.names?.rejected ?? []) {
      const entries = rejectedBy.get(id)
      if (entries === undefined) rejectedBy.set(id, [entry])
      else entries.push(entry)
    }
  }
  const names = { rejectedBy, chosen, wanted: wantedIds(rejectedBy.keys()) }
  read.set(catalogue, names)
  return names
}
