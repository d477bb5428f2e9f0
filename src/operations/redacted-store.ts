import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import type { Catalogue, CatalogueEntry } from '../record/domain/decision/catalogue.ts'
import type { Draft, Store } from '../record/ports/store.ts'

export interface RedactedStoreOptions {
  /** Returns texts byte for byte, for comparison with hashes. Writes are still redacted. */
  readonly exact?: boolean
  /** Receives the number of secrets in a change. */
  takenOut?(count: number): void
}

/**
 * A record that no secret enters or leaves. Texts are redacted before they can be truncated; a change that rewrites a
 * file also cleans its earlier content, and the journal covers the written text. Every method is listed, so that a new
 * one is not passed through by accident.
 */
export function redactedStore(store: Store, { exact = false, takenOut = () => {} }: RedactedStoreOptions = {}): Store {
  const clean = <T>(value: T): T => (exact ? value : redactDeep(value).value)
  return {
    project: store.project,
    // For callers that compare and rewrite bytes; their answers are redacted like all others.
    care: store.care,
    history: {
      texts: async (wanted, near) => {
        const texts = await store.history.texts(wanted, near)
        return exact ? texts : new Map([...texts].map(([path, text]) => [path, redactSecrets(text).text]))
      },
      eventsIn: (commit) => store.history.eventsIn(commit),
      // Hashes are made from these bytes; callers redact their answers.
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
    // Lines are sealed by their writer. A file that is redacted on its way in gets a separate event.
    take: (lines) => draft.take(lines),
  }
}

// Cached: a catalogue is read far more often than it changes.
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
