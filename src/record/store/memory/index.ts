import type { Origin } from '../../../kernel/domain/origin.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { ProjectRef } from '../../../kernel/ports/projects.ts'
import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../../../retrieval/ports/embedder.ts'
import { type Catalogue, type UnreadableFile, byNumber, toEntry, withTrust } from '../../domain/decision/catalogue.ts'
import { DecisionFault } from '../../domain/decision/fault.ts'
import { parseDecision } from '../../domain/decision/parse.ts'
import { type Changes, isEmpty, openDraft } from '../../domain/draft.ts'
import { compareWithJournal, lastState } from '../../domain/journal/compare-with-journal.ts'
import { IdentityLog } from '../../domain/journal/decision-identity.ts'
import { followProposals } from '../../domain/journal/decision-trust.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import { rewriteJournal } from '../../domain/journal/rewrite-journal.ts'
import { isToldOf } from '../../domain/journal/take-lines.ts'
import { rankDecisions } from '../../domain/rank-decisions.ts'
import {
  inListOrder,
  isListedFile,
  isRecordFile,
  isSnapshotFile,
  readablePath,
  recordText,
} from '../../domain/record-path.ts'
import { prunable } from '../../domain/snapshot/retention.ts'
import {
  type Snapshot,
  type SnapshotInfo,
  countDecisions,
  makeSnapshot,
  snapshotName,
} from '../../domain/snapshot/snapshot.ts'
import type { Rewriting, Rewritten, Store } from '../../ports/store.ts'
import { openMemoryJournal } from './journal.ts'
import { type CorpusChoice, type MemoryCorpus, type ReadDecision, judgedMeaning, openCorpora } from './ranking.ts'

export interface MemoryStoreOptions {
  readonly project: ProjectRef
  readonly clock: Clock
  /** Files that already exist, as if added by hand. */
  readonly files?: Readonly<Record<string, string>>
  /** The existing journal, oldest first. */
  readonly events?: readonly JournalEvent[]
  readonly embedder?: () => Promise<Embedder | undefined>
  /** Vectors of `embedder` by text, if several stores share them. */
  readonly vectors?: Map<string, QuantizedVector>
}

const JOURNAL = 'journal/events.jsonl'
const SHELF = 'snapshots'

/** An in-memory record, for tests, trials and views of the past. */
export async function openMemoryStore({
  project,
  clock,
  files: given = {},
  events: journal = [],
  embedder,
  vectors = new Map(),
}: MemoryStoreOptions): Promise<Store> {
  const files = new Map(Object.entries(given).map(([path, text]) => [readablePath(path), recordText(text)]))
  const kept = openMemoryJournal(journal)
  const { events, lines, append } = kept
  let snapshots: Snapshot[] = []
  // Cached until the next change.
  let known: ReadRecord | undefined
  const catalogued = (): ReadRecord => (known ??= readRecord(files, events))
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work)
    queue = turn.catch(() => undefined)
    return turn
  }

  function land(changes: Changes, origin: Origin): void {
    const texts = new Map(
      [...changes.texts].filter(
        ([path, text]) => text !== undefined || files.has(path) || isToldOf(path, events, changes.taken),
      ),
    )
    const adopted =
      events.length === 0 && files.size > 0
        ? [event('adopt', hashes(files), { origin, facts: { files: files.size } })]
        : []
    const { operation = 'edit', facts = {} } = changes.note ?? {}
    const made = [...adopted, event(operation, hashes(texts), { origin, facts })]
    if (changes.taken.length === 0) made.forEach(append)
    else kept.take(changes.taken, { events: made, isNoted: changes.note !== undefined })
    for (const [path, text] of texts) void (text === undefined ? files.delete(path) : files.set(path, text))
    known = undefined
    if (changes.snapshot !== undefined) capture(changes.snapshot)
  }

  const event = (
    operation: string,
    hashed: JournalEvent['files'],
    made: Pick<JournalEvent, 'origin' | 'facts'>,
  ): JournalEvent => ({
    event_version: 1,
    id: clock.uuid(),
    at: clock.now().toISOString(),
    operation,
    ...made,
    files: hashed,
  })

  function capture({ trigger, detail }: { trigger: string; detail: string }): void {
    const kept = inListOrder(files.keys()).filter(isSnapshotFile)
    const version = (snapshots.at(-1)?.version ?? 0) + 1
    const now = clock.now()
    snapshots.push(
      makeSnapshot({
        version,
        timestamp: now.toISOString(),
        trigger,
        trigger_detail: detail,
        files: Object.fromEntries(kept.map((path) => [path, files.get(path)!])),
      }),
    )
    const dropped = new Set(prunable(snapshots.map(toInfo), now))
    snapshots = snapshots.filter((snapshot) => !dropped.has(snapshot.version!))
  }

  function verify() {
    const digests = [...files]
      .filter(([path]) => isRecordFile(path))
      .map(([path, text]) => [path, { sha256: sha256(text) }] as const)
    return compareWithJournal(new Map(digests), events, { history: project.mode === 'repo' })
  }

  function texts(): [path: string, text: string][] {
    const captured = snapshots.flatMap(
      (snapshot) =>
        [...Object.entries(snapshot.files), [SHELF, snapshot.trigger], [SHELF, snapshot.trigger_detail]] as [
          string,
          string,
        ][],
    )
    return [...files, ...captured, ...events.map((e): [string, string] => [JOURNAL, JSON.stringify(e)])]
  }

  async function rewrite(origin: Origin, { change, rename, operation, facts }: Rewriting): Promise<Rewritten> {
    const rehashed = new Map<string, string>()
    const changed = async (text: string, path: string) => {
      const next = await change(text, path)
      rehashed.set(sha256(text), sha256(next))
      return next
    }
    const renamed = async (given: Iterable<[string, string]>) =>
      new Map(
        await Promise.all([...given].map(async ([path, text]) => [rename(path), await changed(text, path)] as const)),
      )
    const next = await renamed(files)
    const written = [...next].filter(([path, text]) => files.get(path) !== text)
    const gone = [...files.keys()].filter((path) => !next.has(path))
    const captured = await Promise.all(
      snapshots.map(async (s) => ({
        ...s,
        trigger: await changed(s.trigger, SHELF),
        trigger_detail: await changed(s.trigger_detail, SHELF),
        files: Object.fromEntries(await renamed(Object.entries(s.files))),
      })),
    )
    const rewritten = await rewriteJournal(
      lines().map((line) => line.text),
      { change: (text) => changed(text, JOURNAL), rename, rehash: (hash) => rehashed.get(hash) ?? hash, sha256 },
    )
    const isSame =
      written.length + gone.length === 0 &&
      JSON.stringify([captured, rewritten]) === JSON.stringify([snapshots, lines().map((line) => line.text)])
    if (isSame) return { files: [], dropped: 0 }
    files.clear()
    for (const [path, text] of next) files.set(path, text)
    known = undefined
    snapshots = captured
    kept.replace(rewritten)
    append(event(operation, hashes(new Map(written)), { origin, facts }))
    return { files: written.map(([path]) => path), dropped: 0 }
  }

  return {
    project,
    snapshots: {
      list: async () => snapshots.map(toInfo),
      read: async (version) => snapshots.find((snapshot) => snapshot.version === version),
    },
    catalogue: async () => catalogued().catalogue,
    rank: async (query) => {
      const { corpus } = catalogued()
      const ranked = corpus(query)
      return rankDecisions(
        ranked,
        query,
        query.byWords === true
          ? undefined
          : embedder &&
              ((question) =>
                judgedMeaning(ranked, question, {
                  load: embedder,
                  vectors,
                  record: corpus({ among: 'active', check: true }),
                })),
      )
    },
    read: async (path) => files.get(readablePath(path)),
    list: async () => inListOrder(files.keys()).filter(isListedFile),
    commit: (origin, work) =>
      inTurn(async () => {
        const { catalogue } = catalogued()
        const { draft, finish } = openDraft({ read: async (path) => files.get(path), catalogue: async () => catalogue })
        const result = await work(draft)
        const changes = finish()
        if (!isEmpty(changes)) land(changes, origin)
        return result
      }),
    journal: async () => [...events],
    verify: async () => verify(),
    care: {
      inspect: async () => ({ discrepancies: verify(), notes: [] }),
      async lastKnown(path) {
        const wanted = lastState(events, path)
        const holder = snapshots.findLast(
          (snapshot) => Object.hasOwn(snapshot.files, path) && sha256(snapshot.files[path]!) === wanted,
        )
        return holder && { text: holder.files[path]!, holder: `snapshot ${snapshotName(holder.version!)}` }
      },
      newestSnapshot: async (path) => snapshots.findLast((snapshot) => Object.hasOwn(snapshot.files, path))?.version,
      async readThrough(look) {
        for (const [path, text] of texts()) await look(text, path)
      },
      rewrite: (origin, rewriting) => inTurn(() => rewrite(origin, rewriting)),
      async *everything() {
        for (const [path, text] of texts()) yield { path, text }
      },
    },
    history: {
      async texts(wanted) {
        const held = [files, ...snapshots.map((snapshot) => new Map(Object.entries(snapshot.files)))]
        return new Map(
          [...wanted].flatMap(([path, hash]) => {
            const holder = held.find((texts) => texts.has(path) && sha256(texts.get(path)!) === hash)
            return holder === undefined ? [] : [[path, holder.get(path)!] as const]
          }),
        )
      },
      eventsIn: async () => undefined,
      lines: async () => [...lines()],
    },
    async close() {},
  }
}

function readCatalogue(
  files: ReadonlyMap<string, string>,
  events: readonly JournalEvent[],
): { decisions: ReadDecision[]; catalogue: Catalogue } {
  const decisions: ReadDecision[] = []
  const unreadable: UnreadableFile[] = []
  const proposed = followProposals(new Set(), events)
  for (const path of inListOrder(files.keys()).filter((p) => p.startsWith('decisions/') && isListedFile(p))) {
    const stem = path.slice('decisions/'.length, -'.md'.length)
    try {
      const decision = parseDecision(files.get(path)!, `${stem}.md`)
      decisions.push({ stem, decision, entry: withTrust(toEntry(stem, decision), proposed) })
    } catch (error) {
      if (!(error instanceof DecisionFault)) throw error
      unreadable.push({ path, kind: error.kind, message: error.message })
    }
  }
  decisions.sort((a, b) => byNumber({ num: a.decision.num, stem: a.stem }, { num: b.decision.num, stem: b.stem }))
  const identities = new IdentityLog().follow(events)
  return {
    decisions,
    catalogue: { decisions: decisions.map(({ entry }) => entry), unreadable, identities: () => identities },
  }
}

interface ReadRecord {
  readonly catalogue: Catalogue
  readonly corpus: (choice: CorpusChoice) => MemoryCorpus
}

function readRecord(files: ReadonlyMap<string, string>, events: readonly JournalEvent[]): ReadRecord {
  const { decisions, catalogue } = readCatalogue(files, events)
  return { catalogue, corpus: openCorpora(decisions) }
}

const hashes = (texts: ReadonlyMap<string, string | undefined>): JournalEvent['files'] =>
  Object.fromEntries(
    inListOrder(texts.keys()).map((path) => [path, texts.get(path) === undefined ? null : sha256(texts.get(path)!)]),
  )

const toInfo = ({ version, timestamp, trigger, trigger_detail, token_count, files }: Snapshot): SnapshotInfo => ({
  version: version!,
  timestamp,
  trigger,
  trigger_detail,
  token_count,
  decisions: countDecisions(files),
})
