import { conflictVersions, hasConflictMarkers } from './conflict-markers.ts'
import { parseHashIndex } from './decision/duplicate.ts'
import { parseDecision } from './decision/parse.ts'
import { decisionPath, HASHES, QUESTIONS } from './files.ts'
import { mergeFile } from './merge-file.ts'
import { decisionsOf, hashIndexOf, type RecordFiles } from './merge.ts'
import { parseQuestions } from './question.ts'

/** The texts of a file at the merge base and on both branches; undefined if unknown. */
export interface KnownVersions {
  /** True if the file did not exist at the merge base. */
  readonly isNew: boolean
  readonly base: string | undefined
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

/**
 * True for a file that git merged as text into a state that no one can have intended. A merge by hand is not changed.
 */
export function isBroken(path: string, text: string): boolean {
  if (hasConflictMarkers(text)) return true
  if (path === HASHES) return parseHashIndex(text) === undefined
  if (path === QUESTIONS) return hasTwins(text)
  return path.startsWith('decisions/') && !isDecision(path, text)
}

/**
 * True for a text that contains every line of two separately written texts, interleaved, and that no one wrote as a
 * whole.
 */
export function isBoth(text: string, { ours, theirs }: KnownVersions): boolean {
  const lines = new Set(text.split('\n'))
  return (
    ours !== undefined &&
    theirs !== undefined &&
    ![ours, theirs].includes(text) &&
    [...ours.split('\n'), ...theirs.split('\n')].every((line) => lines.has(line))
  )
}

/**
 * The result Ken's merge driver would have produced; several texts if both branches added a decision under one name.
 * Undefined if only a person can settle it.
 */
export function healed(path: string, text: string, known: KnownVersions): RecordFiles | undefined {
  const { isNew, base, ours, theirs } = known
  const told = hasConflictMarkers(text) ? conflictVersions(text) : undefined
  const [mine, yours] = [ours ?? told?.ours, theirs ?? told?.theirs]
  if (mine === undefined || yours === undefined) return undefined
  if (isNew && path.startsWith('decisions/') && mine !== yours) return keptBoth(path, mine, yours)
  const merged = mergeFile(path, { base: base ?? told?.base ?? '', ours: mine, theirs: yours })
  return merged === undefined || isBroken(path, merged.text) ? undefined : { [path]: merged.text }
}

/** The hash index, rebuilt from the decisions. */
export const rebuiltHashes = (files: RecordFiles): string => hashIndexOf(decisionsOf(files), files[HASHES])

/**
 * Separates two decisions with one name: the decision whose text sorts first keeps the name on every clone; the other
 * is renumbered next.
 */
function keptBoth(path: string, mine: string, yours: string): RecordFiles | undefined {
  if (!isDecision(path, mine) || !isDecision(path, yours)) return undefined
  const [first, second] = mine < yours ? [mine, yours] : [yours, mine]
  return { [path]: first, [decisionPath(`${path.slice('decisions/'.length, -'.md'.length)}-2`)]: second }
}

function isDecision(path: string, text: string): boolean {
  try {
    parseDecision(text, path.slice('decisions/'.length))
    return true
  } catch {
    return false
  }
}

function hasTwins(text: string): boolean {
  const numbers = parseQuestions(text).flatMap(({ number }) => number ?? [])
  return new Set(numbers).size < numbers.length
}
