import { unifiedDiff } from '../kernel/domain/text/unified-diff.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { decisionPath } from './domain/files.ts'
import type { JournalEvent } from './domain/journal/event.ts'
import { eventsInOrder } from './domain/journal/merge-journal.ts'
import type { Store } from './ports/store.ts'

/** A change to a decision, from the journal. */
export interface DecisionEvent {
  readonly event: JournalEvent
  /** Hashes of its file before and after; equal if only its status changed. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Oldest first. */
export async function decisionEvents(store: Store, { stem }: CatalogueEntry): Promise<DecisionEvent[]> {
  const path = decisionPath(stem)
  const told: DecisionEvent[] = []
  let state: string | undefined
  for (const event of eventsInOrder(await store.journal())) {
    const touched = Object.hasOwn(event.files ?? {}, path)
    const after = touched ? (event.files[path] ?? undefined) : state
    if (after !== state || isAbout(event, stem)) told.push({ event, before: state, after })
    state = after
  }
  return told
}

/** Accepting a proposal changes no file; the facts name the decision. */
const isAbout = ({ facts }: JournalEvent, stem: string): boolean =>
  Array.isArray(facts?.['decisions']) && facts['decisions'].includes(stem)

/** The text change; undefined if there is none, or if one of the two texts is no longer available. */
export async function changeOf(
  store: Store,
  { stem }: CatalogueEntry,
  { event, before, after }: DecisionEvent,
): Promise<string | undefined> {
  if (before === after || after === undefined) return undefined
  const path = decisionPath(stem)
  const near = Date.parse(event.at)
  const read = async (hash: string | undefined): Promise<string | undefined> =>
    hash === undefined ? '' : (await store.history.texts(new Map([[path, hash]]), near)).get(path)
  const [old, now] = [await read(before), await read(after)]
  if (old === undefined || now === undefined || before === undefined) return undefined
  return unifiedDiff(old, now, { before: path, after: path })
}
