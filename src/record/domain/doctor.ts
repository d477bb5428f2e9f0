import type { Catalogue, CatalogueEntry } from './decision/catalogue.ts'
import { label } from './decision/decision.ts'
import { type HashIndex, duplicateHash, normalizeTitle } from './decision/duplicate.ts'
import { HASHES, QUESTIONS, decisionPath } from './files.ts'
import { parseQuestions } from './question.ts'

export type FlawKind =
  | 'unreadable'
  | 'dangling'
  | 'cycle'
  | 'contradiction'
  | 'duplicate-number'
  | 'duplicate-title'
  | 'hash-index'
  | 'question'
  | 'snapshot'
  | 'journal'
  | 'edited'
  | 'missing'
  | 'unknown'

export interface Flaw {
  readonly kind: FlawKind
  readonly path: string
  readonly message: string
  /** How `ken repair` fixes the flaw; undefined if only a person can fix it. */
  readonly repair: string | undefined
}

export interface Examined {
  readonly catalogue: Catalogue
  /** Duplicate hashes of every readable decision, by stem. */
  readonly hashes: ReadonlyMap<string, string>
  /** Stems of decisions extended since they were recorded: the index may still have their first text. */
  readonly updated: ReadonlySet<string>
  /** Undefined if the file cannot be read. */
  readonly hashIndex: HashIndex | undefined
  readonly questions: string
}

/** Every flaw in a record that is visible in its files. */
export function examine(record: Examined): Flaw[] {
  const { decisions, unreadable } = record.catalogue
  const known = new Map<number, CatalogueEntry>()
  for (const entry of decisions) if (!known.has(entry.num)) known.set(entry.num, entry)
  return [
    ...unreadable.map((u): Flaw => ({ kind: 'unreadable', path: u.path, message: u.message, repair: undefined })),
    ...duplicateNumbers(decisions),
    ...duplicateTitles(decisions),
    ...decisions.flatMap((entry) => references(entry, known)),
    ...cycles(decisions, known),
    ...hashFlaws(record),
    ...questionFlaws(record.questions, known),
  ]
}

export const rebuiltHashIndex = (
  hashes: ReadonlyMap<string, string>,
  before: HashIndex | undefined,
  now: string,
): HashIndex => {
  const index: Record<string, { decision_id: string; timestamp: string }> = {}
  for (const [stem, hash] of hashes) index[hash] = { decision_id: stem, timestamp: before?.[hash]?.timestamp ?? now }
  return index
}

export const hashOf = (decision: { title: string; rationale: string }): string =>
  duplicateHash(decision.title, decision.rationale)

function duplicateNumbers(decisions: readonly CatalogueEntry[]): Flaw[] {
  return groups(decisions, (d) => String(d.num)).map((same) => ({
    kind: 'duplicate-number',
    path: decisionPath(same.at(-1)!.stem),
    message: `${label(same[0]!.num)} is used by ${same.map((d) => d.stem).join(' and ')}`,
    repair: 'renumber the later one and everything that refers to it',
  }))
}

function duplicateTitles(decisions: readonly CatalogueEntry[]): Flaw[] {
  const active = decisions.filter((d) => d.status === 'active')
  return groups(active, (d) => normalizeTitle(d.title)).map((same) => ({
    kind: 'duplicate-title',
    path: decisionPath(same.at(-1)!.stem),
    message: `${same.map((d) => label(d.num)).join(' and ')} are active with the same title; supersede one by the other`,
    repair: undefined,
  }))
}

function references(entry: CatalogueEntry, known: ReadonlyMap<number, CatalogueEntry>): Flaw[] {
  const flaw = (kind: FlawKind, message: string, repair?: string): Flaw => ({
    kind,
    path: decisionPath(entry.stem),
    message,
    repair,
  })
  const flaws: Flaw[] = []
  for (const key of ['supersedes', 'superseded_by'] as const) {
    const ref = entry[key]
    if (ref !== null && !known.has(Number(ref)))
      flaws.push(flaw('dangling', `${key} names D${ref}, which does not exist`))
  }
  const old = entry.supersedes === null ? undefined : known.get(Number(entry.supersedes))
  if (old !== undefined && old.status === 'active') {
    flaws.push(
      flaw(
        'contradiction',
        `it supersedes ${label(old.num)}, which still says active`,
        old.superseded_by === null ? `mark ${label(old.num)} as superseded` : undefined,
      ),
    )
  } else if (old !== undefined && old.superseded_by !== null && Number(old.superseded_by) !== entry.num) {
    flaws.push(
      flaw('contradiction', `it supersedes ${label(old.num)}, which says it was superseded by D${old.superseded_by}`),
    )
  }
  if (entry.status === 'active' && entry.superseded_by !== null)
    flaws.push(flaw('contradiction', `it is active and says superseded_by D${entry.superseded_by}`))
  return flaws
}

/** Cycles of superseded_by, followed from every decision; a cycle never ends at an active decision. */
function cycles(decisions: readonly CatalogueEntry[], known: ReadonlyMap<number, CatalogueEntry>): Flaw[] {
  const flaws: Flaw[] = []
  const settled = new Set<number>()
  for (const start of decisions) {
    const path: number[] = []
    let at: CatalogueEntry | undefined = start
    while (at !== undefined && !settled.has(at.num) && !path.includes(at.num)) {
      path.push(at.num)
      at = at.superseded_by === null ? undefined : known.get(Number(at.superseded_by))
    }
    if (at !== undefined && path.includes(at.num)) {
      const loop = path.slice(path.indexOf(at.num))
      flaws.push({
        kind: 'cycle',
        path: decisionPath(at.stem),
        message: `supersession goes in a circle: ${[...loop, at.num].map(label).join(' → ')}`,
        repair: undefined,
      })
    }
    for (const num of path) settled.add(num)
  }
  return flaws
}

function hashFlaws({ hashes, hashIndex, updated }: Examined): Flaw[] {
  const flaw = (message: string): Flaw => ({
    kind: 'hash-index',
    path: HASHES,
    message,
    repair: 'rebuild it from the decisions',
  })
  if (hashIndex === undefined) return [flaw('it is not valid JSON')]
  const stems = new Set(hashes.keys())
  const gone = Object.values(hashIndex).filter((entry) => !stems.has(entry?.decision_id))
  const stale = Object.entries(hashIndex).filter(
    ([hash, entry]) =>
      stems.has(entry?.decision_id) && !updated.has(entry.decision_id) && hashes.get(entry.decision_id) !== hash,
  )
  return [
    ...(gone.length === 0
      ? []
      : [
          flaw(
            `it names ${gone.length === 1 ? 'a decision that does' : `${gone.length} decisions that do`} not exist, so their text could not be recorded again`,
          ),
        ]),
    ...(stale.length === 0
      ? []
      : [
          flaw(`it has another text of ${stale.map(([, entry]) => entry.decision_id).join(' and ')} than the decision`),
        ]),
  ]
}

function questionFlaws(text: string, known: ReadonlyMap<number, CatalogueEntry>): Flaw[] {
  const flaw = (message: string): Flaw => ({ kind: 'question', path: QUESTIONS, message, repair: undefined })
  const questions = parseQuestions(text)
  return [
    ...groups(
      questions.filter((q) => q.number !== undefined),
      (q) => q.id,
    ).map((same) => flaw(`${same[0]!.id} stands ${same.length} times`)),
    ...questions
      .filter((q) => q.resolvedBy !== undefined && !known.has(q.resolvedBy.decision))
      .map((q) => flaw(`${q.id} was resolved by D${q.resolvedBy!.decision}, which does not exist`)),
  ]
}

/** Groups of two or more items that share a key. */
function groups<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const byKey = new Map<string, T[]>()
  for (const item of items) byKey.set(key(item), [...(byKey.get(key(item)) ?? []), item])
  return [...byKey.values()].filter((same) => same.length > 1)
}
