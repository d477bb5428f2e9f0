import { conflictVersions, hasConflictMarkers } from './conflict-markers.ts'
import { parseHashIndex } from './decision/duplicate.ts'
import { parseDecision } from './decision/parse.ts'
import { decisionPath, HASHES, QUESTIONS } from './files.ts'
import { mergeFile } from './merge-file.ts'
import { decisionsOf, hashIndexOf, type RecordFiles } from './merge.ts'
import { parseQuestions } from './question.ts'

/** The texts that a file had where two branches parted, and on each of them at its end; undefined where nobody knows. */
export interface KnownVersions {
  /** True when the file was not there where they parted. */
  readonly isNew: boolean
  readonly base: string | undefined
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

/**
 * True for a file that git joined as text and left in a state that no one can have meant. What a person joined by hand
 * is theirs.
 */
export function isBroken(path: string, text: string): boolean {
  if (hasConflictMarkers(text)) return true
  if (path === HASHES) return parseHashIndex(text) === undefined
  if (path === QUESTIONS) return hasTwins(text)
  return path.startsWith('decisions/') && !isDecision(path, text)
}

/** True for a text that holds every line of two that were written apart, one in the other: no one wrote that. */
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
 * What Ken's merge driver would have made of it; several texts where both branches added a decision under one name.
 * Undefined when only a person can settle it.
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

/** An index that nobody can read is made new from the decisions. */
export const rebuiltHashes = (files: RecordFiles): string => hashIndexOf(decisionsOf(files), files[HASHES])

/** Two decisions under one name: the first by text keeps it on every clone; the other gets a number of its own next. */
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
