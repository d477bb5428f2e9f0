import { pad, renameStems, renumberHeading, rewriteRefs } from './decision-refs.ts'
import { decisionNumber, decisionStem, numbersAfter } from './decision/decision-id.ts'
import type { Decision } from './decision/decision.ts'
import { formatHashIndex, normalizeTitle, parseHashIndex } from './decision/duplicate.ts'
import { parseDecision } from './decision/parse.ts'
import { hashOf, rebuiltHashIndex } from './doctor.ts'
import { HASHES, decisionPath } from './files.ts'
import { mergeFile } from './merge-file.ts'

export { mergeUnion } from './merge-union.ts'

/** A record as its files: path to text. */
export type RecordFiles = Readonly<Record<string, string>>

export interface MergedRecord {
  readonly files: RecordFiles
  /** Their decisions that were renumbered, by stem. */
  readonly renumbered: readonly { readonly from: string; readonly to: string }[]
  /** Conflicts for a person's review. Nothing is lost: if one text had to win, the sentence names it. */
  readonly conflicts: readonly string[]
}

/** Merges two records with a common base. Numbers and questions stay unique, and every reference keeps its target. */
export function mergeRecords(base: RecordFiles, ours: RecordFiles, theirs: RecordFiles): MergedRecord {
  const moves = movesOf(base, ours, theirs)
  const moved = moveDecisions(base, theirs, moves)
  const files: Record<string, string> = {}
  const conflicts: string[] = []
  for (const path of new Set([...Object.keys(ours), ...Object.keys(moved)])) {
    const merged = mergePath(path, { base: base[path], ours: ours[path], theirs: moved[path] })
    if (merged.text !== undefined) files[path] = merged.text
    conflicts.push(...merged.conflicts)
  }
  const decisions = decisionsOf(files)
  if (files[HASHES] !== undefined) files[HASHES] = hashIndexOf(decisions, files[HASHES])
  return {
    files,
    renumbered: moves.map(({ from, to }) => ({ from, to })),
    conflicts: [...conflicts, ...contradictions(decisions)],
  }
}

export interface Move {
  readonly from: string
  readonly to: string
  readonly oldNum: number
  readonly newNum: number
}

/** Their new decisions with a number that ours gave to another new decision; they move above every existing number. */
function movesOf(base: RecordFiles, ours: RecordFiles, theirs: RecordFiles): Move[] {
  const added = (files: RecordFiles) => stemsOf(files).filter((stem) => base[decisionPath(stem)] === undefined)
  const mine = new Map(added(ours).map((stem) => [numOf(stem), stem]))
  const next = numbersAfter([base, ours, theirs].flatMap((files) => stemsOf(files).map(numOf)))
  const clashes = added(theirs).filter(
    (stem) => mine.has(numOf(stem)) && ours[decisionPath(stem)] !== theirs[decisionPath(stem)],
  )
  return clashes
    .sort((a, b) => numOf(a) - numOf(b) || (a < b ? -1 : 1))
    .map((from) => {
      const newNum = next()
      return { from, to: renamed(from, newNum, theirs[decisionPath(from)]!), oldNum: numOf(from), newNum }
    })
}

/** Theirs with the moved decisions renumbered. In those files the old number can only have meant the moved decision. */
export function moveDecisions(base: RecordFiles, theirs: RecordFiles, moves: readonly Move[]): RecordFiles {
  const newNums = new Map(moves.map(({ oldNum, newNum }) => [oldNum, newNum]))
  const byPath = new Map(moves.map((move) => [decisionPath(move.from), move]))
  const moved: Record<string, string> = {}
  for (const [path, text] of Object.entries(theirs)) {
    const move = byPath.get(path)
    const old = new Set((base[path] ?? '').split('\n'))
    const isText = path.endsWith('.md') && newNums.size > 0 && text !== base[path]
    const renumbered = isText
      ? rewriteRefs(text, (num, { line }) => (old.has(line) ? num : (newNums.get(num) ?? num)))
      : text
    const rewritten = isText
      ? renameStems(
          renumbered,
          moves.map(({ from, to }) => [from, to]),
        )
      : text
    if (move === undefined) moved[path] = path === HASHES ? withStems(rewritten, moves) : rewritten
    else moved[decisionPath(move.to)] = renumberHeading(rewritten, move.newNum)
  }
  return moved
}

function mergePath(
  path: string,
  versions: { base: string | undefined; ours: string | undefined; theirs: string | undefined },
): { text: string | undefined; conflicts: readonly string[] } {
  const { base, ours, theirs } = versions
  if (ours === undefined || theirs === undefined) return mergePresence(path, versions)
  const merged = mergeFile(path, { base: base ?? '', ours, theirs })
  return merged ?? { text: ours, conflicts: [`${path} was changed on both sides; ours stands, look at theirs`] }
}

function mergePresence(
  path: string,
  { base, ours, theirs }: { base: string | undefined; ours: string | undefined; theirs: string | undefined },
) {
  const kept = ours ?? theirs
  if (base === undefined) return { text: kept, conflicts: [] }
  if (kept === base) return { text: undefined, conflicts: [] }
  return { text: kept, conflicts: [`${path} was removed on one side and changed on the other; it stays`] }
}

/** Active decisions with the same title, and decisions that two others claim to supersede. */
export function contradictions(decisions: ReadonlyMap<string, Decision>): string[] {
  const found: string[] = []
  const all = [...decisions.values()].sort((a, b) => a.num - b.num)
  for (const same of Map.groupBy(
    all.filter((d) => d.status === 'active'),
    (d) => normalizeTitle(d.title),
  ).values()) {
    if (same.length > 1)
      found.push(
        `${same.map((d) => `D${d.num}`).join(' and ')} are active with the same title; supersede one by the other`,
      )
  }
  for (const [old, claims] of Map.groupBy(
    all.filter((d) => d.supersedes !== null),
    (d) => d.supersedes!,
  )) {
    if (claims.length > 1) found.push(`${claims.map((d) => `D${d.num}`).join(' and ')} both supersede D${old}`)
  }
  return found
}

export function decisionsOf(files: RecordFiles): Map<string, Decision> {
  const decisions = new Map<string, Decision>()
  for (const stem of stemsOf(files)) {
    try {
      decisions.set(stem, parseDecision(files[decisionPath(stem)]!, `${stem}.md`))
    } catch {
      // A file that is not a decision is copied unchanged.
      continue
    }
  }
  return decisions
}

/** Existing entries keep their time; new ones get the day of the decision, so that every clone writes the same. */
export function hashIndexOf(decisions: ReadonlyMap<string, Decision>, text: string | undefined): string {
  const before = parseHashIndex(text) ?? {}
  const dated = {
    ...Object.fromEntries(
      [...decisions.values()].map((d) => [hashOf(d), { decision_id: '', timestamp: `${d.date}T00:00:00.000Z` }]),
    ),
    ...before,
  }
  return formatHashIndex(rebuiltHashIndex(new Map([...decisions].map(([stem, d]) => [stem, hashOf(d)])), dated, ''))
}

export const stemsOf = (files: RecordFiles): string[] =>
  Object.keys(files)
    .flatMap((path) => /^decisions\/([^/]+)\.md$/.exec(path)?.[1] ?? [])
    .filter((stem) => decisionNumber(stem) !== undefined)

export const numOf = (stem: string): number => decisionNumber(stem) ?? 0

/** The stem under a new number: built from the title, or only renumbered if the file cannot be read. */
export function renamed(stem: string, num: number, text: string): string {
  try {
    return decisionStem(num, parseDecision(text, `${stem}.md`).title)
  } catch {
    return stem.replace(/[0-9]+/, pad(num))
  }
}

function withStems(text: string, moves: readonly Move[]): string {
  const index = parseHashIndex(text)
  if (index === undefined) return text
  const to = new Map(moves.map((move) => [move.from, move.to]))
  return formatHashIndex(
    Object.fromEntries(
      Object.entries(index).map(([hash, entry]) => [
        hash,
        { ...entry, decision_id: to.get(entry.decision_id) ?? entry.decision_id },
      ]),
    ),
  )
}
