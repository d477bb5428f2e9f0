import { ellipsis, plural } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import { label } from './domain/decision/decision.ts'
import { parseHashIndex } from './domain/decision/duplicate.ts'
import { foreignKeys } from './domain/decision/frontmatter.ts'
import { type Examined, type Flaw, type FlawKind, examine, hashOf } from './domain/doctor.ts'
import { HASHES, QUESTIONS } from './domain/files.ts'
import type { RecordNeeds } from './ports/record-needs.ts'
import type { Discrepancy, Store } from './ports/store.ts'
import { readDecision, readDecisions } from './read-decision.ts'

/** Problems inside the record: in its files, and in their differences from the journal. */
export async function findFlaws(store: Store): Promise<Flaw[]> {
  const discrepancies = await store.verify()
  const unreadable = new Set((await store.catalogue()).unreadable.map((file) => file.path))
  const disagreeing = await Promise.all(discrepancies.map((found) => toFlaw(store, found, unreadable)))
  const taken = new Set(disagreeing.filter((flaw) => flaw.repair !== undefined).map((flaw) => flaw.path))
  // The index differs from an edited or missing decision only until that decision is repaired.
  const isConsequence = (flaw: Flaw) =>
    flaw.kind === 'hash-index' && discrepancies.some(({ path }) => path.startsWith('decisions/'))
  const seen = examine(await examined(store)).filter((flaw) => !isConsequence(flaw))
  // If a file is to be restored, its other flaws need no repair: its current text is not the recorded one.
  return [...seen.map((flaw) => (taken.has(flaw.path) ? { ...flaw, repair: undefined } : flaw)), ...disagreeing]
}

async function toFlaw(
  store: Store,
  { path, kind, message }: Discrepancy,
  unreadable: ReadonlySet<string>,
): Promise<Flaw> {
  if (kind === 'damaged' || path.startsWith('journal/') || path.startsWith('snapshots/'))
    return { kind: placeOf(path), path, message, repair: undefined }
  if (path === HASHES) return { kind: 'hash-index', path, message, repair: 'rebuild it from the decisions' }
  const isUndone =
    kind === 'missing' || (kind === 'edited' && (unreadable.has(path) || (await readOrNone(store, path)) === undefined))
  const kept = isUndone ? await store.care.lastKnown(path) : undefined
  return { kind, path, message, repair: kept && `take it back from ${kept.holder}` }
}

const placeOf = (path: string): FlawKind =>
  path.startsWith('snapshots/') ? 'snapshot' : path.startsWith('journal/') ? 'journal' : 'unreadable'

async function examined(store: Store): Promise<Examined> {
  const catalogue = await store.catalogue()
  const hashes = new Map<string, string>()
  const updated = new Set<string>()
  for (const { stem } of catalogue.decisions) {
    const decision = await readDecision(store, stem)
    if (decision !== undefined) hashes.set(stem, hashOf(decision))
    if (decision !== undefined && decision.version > 1) updated.add(stem)
  }
  return {
    catalogue,
    hashes,
    updated,
    hashIndex: parseHashIndex(await store.read(HASHES).catch(() => 'not text')),
    questions: (await readOrNone(store, QUESTIONS)) ?? '',
  }
}

/** Notes on frontmatter keys of other programs, which are not flaws: Ken keeps and ignores them. */
export async function foreignKeyNotes(store: Store): Promise<string[]> {
  const { decisions } = await store.catalogue()
  const texts = await readDecisions(store, decisions)
  const counts = new Map<string, number>()
  for (const { content } of texts.values())
    for (const key of foreignKeys(content)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].map(
    ([key, count]) =>
      `${plural(count, 'decision has', 'decisions have')} the key "${ellipsis(key, 60)}" of another program; Ken keeps it as it is`,
  )
}

/** A file that is not text is reported by verify; it must not stop the check. */
const readOrNone = (store: Store, path: string): Promise<string | undefined> => store.read(path).catch(() => undefined)

/** Active decisions about files that do not exist (yet). Only the record's own repository can be checked. */
export async function danglingPathNotes(ctx: Call & RecordNeeds, store: Store): Promise<string[]> {
  const here = await ctx.projects.find({ directory: ctx.cwd })
  const repository = here?.id === store.project.id ? await ctx.repository() : undefined
  const active = (await store.catalogue()).decisions.filter((entry) => entry.status === 'active')
  const empty = new Set(await repository?.withoutFiles(active.flatMap((entry) => entry.files_affected)))
  return active.flatMap((entry) => {
    const gone = entry.files_affected.filter((pattern) => empty.has(pattern))
    return gone.length === 0
      ? []
      : [
          `${label(entry.num)} "${entry.title}" governs ${gone.join(', ')}, which ${gone.length === 1 ? 'does' : 'do'} not exist here`,
        ]
  })
}
