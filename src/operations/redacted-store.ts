import type { Catalogue, CatalogueEntry } from '../core/decision/catalogue.ts'
import { redactDeep } from '../core/secrets/redact-deep.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import type { Draft, Store } from '../ports/store.ts'

export interface RedactedStoreOptions {
  /** Gives texts byte for byte, for those who compare them with hashes. What is written is redacted all the same. */
  readonly exact?: boolean
  /** Hears how many secrets a change was about to store. */
  takenOut?(count: number): void
}

/**
 * A record that no secret goes into and none comes out of. Texts are redacted before anyone can cut them; a change that
 * rewrites a file cleans what the file held before, and the journal vouches for what was written. Every method is
 * named, so that a new one does not pass by without a thought.
 */
export function redactedStore(store: Store, { exact = false, takenOut = () => {} }: RedactedStoreOptions = {}): Store {
  const clean = <T>(value: T): T => (exact ? value : redactDeep(value).value)
  return {
    project: store.project,
    // For those who compare and rewrite bytes; what they answer is redacted like everything else.
    care: store.care,
    history: {
      texts: async (wanted, near) => {
        const texts = await store.history.texts(wanted, near)
        return exact ? texts : new Map([...texts].map(([path, text]) => [path, redactSecrets(text).text]))
      },
      eventsIn: (commit) => store.history.eventsIn(commit),
      // Hashes are made of these bytes; who answers with them redacts the answer.
      lines: () => store.history.lines(),
    },
    ...(store.asOf && { asOf: store.asOf }),
    snapshots: {
      list: async () => clean(await store.snapshots.list()),
      read: async (version) => clean(await store.snapshots.read(version)),
    },
    catalogue: async () => (exact ? store.catalogue() : cleanCatalogue(await store.catalogue())),
    async rank(query) {
      const ranking = await store.rank(query)
      return exact
        ? ranking
        : {
            ...ranking,
            hits: ranking.hits.map(cleanHit),
            named: ranking.named.map(cleanHit),
            superseded: ranking.superseded.map((hit) => ({
              ...cleanHit(hit),
              successors: hit.successors.map(cleanHit),
            })),
          }
    },
    read: async (path) => clean(await store.read(path)),
    list: () => store.list(),
    commit: (origin, work) => store.commit(origin, (draft) => work(redactedDraft(draft, takenOut))),
    journal: async () => clean(await store.journal()),
    verify: () => store.verify(),
    close: () => store.close(),
  }
}

function redactedDraft(draft: Draft, takenOut: (count: number) => void): Draft {
  return {
    read: (path) => draft.read(path),
    catalogue: () => draft.catalogue(),
    write(path, text) {
      const redacted = redactSecrets(text)
      if (redacted.count > 0) takenOut(redacted.count)
      draft.write(path, redacted.text)
    },
    remove: (path) => draft.remove(path),
    note: (operation, facts) => draft.note(operation, redactDeep(facts).value),
    snapshot: (trigger, detail) =>
      draft.snapshot(redactSecrets(trigger).text, detail === undefined ? undefined : redactSecrets(detail).text),
    // Sealed by whoever wrote them. A file that is redacted on its way in gets an event of its own.
    take: (lines) => draft.take(lines),
  }
}

// A catalogue is read far more often than it changes.
const seen = new WeakMap<Catalogue, Catalogue>()

function cleanCatalogue(catalogue: Catalogue): Catalogue {
  let clean = seen.get(catalogue)
  if (clean === undefined) {
    const titles = catalogue.decisions.map(({ title }) => title).join('\n\n')
    clean =
      redactSecrets(titles).count === 0 ? catalogue : { ...catalogue, decisions: catalogue.decisions.map(cleanEntry) }
    seen.set(catalogue, clean)
  }
  return clean
}

const cleanEntry = (entry: CatalogueEntry): CatalogueEntry => ({ ...entry, title: redactSecrets(entry.title).text })

const cleanHit = <T extends { readonly entry: CatalogueEntry }>(hit: T): T => ({ ...hit, entry: cleanEntry(hit.entry) })
