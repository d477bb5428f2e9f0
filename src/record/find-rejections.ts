import { isTold } from '../retrieval/domain/ranking/verdict.ts'
import type { Catalogue, CatalogueEntry } from './domain/decision/catalogue.ts'
import type { Decision } from './domain/decision/decision.ts'
import { KNOWN_NAMES, type Wanted, wantedIds } from './domain/names/mentions.ts'
import { type Named, isWord, namedIn } from './domain/names/named-in.ts'
import { sharesTopic } from './domain/names/shares-topic.ts'
import { type Lineage, lineageOf, type StandingRejection, standingRejections } from './domain/standing-rejections.ts'
import type { Store, RankedDecision, Ranking } from './ports/store.ts'
import { readDecisions } from './read-decision.ts'

/** A rejected alternative, still in force, that a text names and so reintroduces. */
export interface NamedRejection {
  /** The active decision that keeps the rejection in force. */
  readonly entry: CatalogueEntry
  /** The decision that rejected the alternative: this decision, or one that it replaced. */
  readonly by: CatalogueEntry
  readonly alternative: string
  readonly reason: string
  /** As the text spells it. */
  readonly named: string
  /** False for a word or phrase that is in no name table and may mean something else. */
  readonly isKnownName: boolean
}

// Limit on files to read; a record that rejects one name in more decisions than this has made the point.
const MOST_READ = 40
const AT_ONCE = 8
// Number of decisions; nobody reads more, and a large record may reject one name a hundred times.
const ENOUGH = 5

/**
 * Rejected alternatives that a text reintroduces, newest decision first. Checks all decisions, not only those that a
 * search would find, and reads the whole text.
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

  async function look(holder: CatalogueEntry): Promise<NamedRejection[]> {
    const texts = await readDecisions(store, names.lineage.behind(holder))
    const standing = standingRejections(holder, names.lineage, ({ stem }) => texts.get(stem))
    return rejectionsAmong(standing, texts, { text, named, chosen: names.chosen })
  }
}

/** The rejections of a decision and those it inherits from the decisions it replaced. */
export async function rejectedThrough(
  store: Pick<Store, 'catalogue' | 'read'>,
  holder: CatalogueEntry,
): Promise<StandingRejection[]> {
  const { lineage } = rejectedNames(await store.catalogue())
  const texts = await readDecisions(store, lineage.behind(holder))
  return standingRejections(holder, lineage, ({ stem }) => texts.get(stem))
}

function rejectionsAmong(
  standing: readonly StandingRejection[],
  texts: ReadonlyMap<string, Decision>,
  { text, named, chosen }: { text: string; named: readonly Named[]; chosen: ReadonlySet<string> },
): NamedRejection[] {
  const found = named.flatMap(({ id, spelled, with: others }) =>
    standing
      .filter(({ thing }) => thing.id === id)
      // An ordinary word, or another decision's choice, counts only if the text has the same subject.
      .filter(
        ({ alternative, by }) =>
          (!isWord(id) && !others.some((each) => chosen.has(each))) ||
          sharesTopic(text, texts.get(by.stem)!, { alternative, spelled }),
      )
      .map(({ alternative, reason, by, holder }) => ({
        entry: holder,
        by,
        alternative,
        reason: reason ?? '',
        named: spelled,
        isKnownName: KNOWN_NAMES.has(id),
      })),
  )
  return [...new Map(found.toReversed().map((each) => [each.alternative, each])).values()].reverse()
}

interface RejectedNames {
  /** The active decisions that may reject a thing, by its id. */
  readonly rejectedBy: ReadonlyMap<string, readonly CatalogueEntry[]>
  readonly lineage: Lineage
  readonly wanted: Wanted
  /** Things in the title of some active decision. */
  readonly chosen: ReadonlySet<string>
}

// Cached by identity: a catalogue is the same object until a decision changes.
const read = new WeakMap<Catalogue, RejectedNames>()

function rejectedNames(catalogue: Catalogue): RejectedNames {
  const known = read.get(catalogue)
  if (known !== undefined) return known
  const lineage = lineageOf(catalogue.decisions)
  const rejectedBy = new Map<string, Set<CatalogueEntry>>()
  const chosen = new Set<string>()
  for (const entry of catalogue.decisions) {
    const holder = lineage.headOf(entry)
    if (holder === undefined) continue
    if (holder === entry) for (const id of entry.names?.chosen ?? []) chosen.add(id)
    for (const id of entry.names?.rejected ?? []) {
      const holders = rejectedBy.get(id)
      if (holders === undefined) rejectedBy.set(id, new Set([holder]))
      else holders.add(holder)
    }
  }
  const names = {
    rejectedBy: new Map([...rejectedBy].map(([id, holders]) => [id, [...holders]])),
    lineage,
    chosen,
    wanted: wantedIds(rejectedBy.keys()),
  }
  read.set(catalogue, names)
  return names
}

// Distance to the line. Three in four of the decisions that a proposal touches and that are below the line are within
// this distance.
const NEAR = -0.12

export const isAboveLine = ({ verdict }: RankedDecision): boolean => isTold(verdict)

/** True if not far below the line; results of word search alone have no line. */
export const isNearLine = ({ cosine, relevance }: RankedDecision): boolean => cosine === null || relevance >= NEAR

/**
 * Drops rejections matched only by an ordinary word of a decision on another subject; `named` must contain all of them.
 */
export function meantRejections(
  rejections: readonly NamedRejection[],
  { named }: Pick<Ranking, 'named'>,
): NamedRejection[] {
  const near = new Set(named.filter(isNearLine).map(({ entry }) => entry.stem))
  return rejections.filter(({ entry, isKnownName }) => isKnownName || near.has(entry.stem))
}
