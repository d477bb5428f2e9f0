import { type HashIndex, formatHashIndex, parseHashIndex } from './decision/duplicate.ts'
import { HASHES, QUESTIONS, STATE, STATE_HISTORY } from './files.ts'
import { mergeJournals } from './journal/merge-journal.ts'
import { mergeDecision } from './merge-decision.ts'
import { type MergedText, type Versions, mergeQuestions } from './merge-questions.ts'

/** Merges two versions of one record file. Undefined if it must be merged line by line, or by a person. */
export function mergeFile(path: string, versions: Versions): MergedText | undefined {
  const { base, ours, theirs } = versions
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] }
  if (ours === base) return { text: theirs, conflicts: [] }
  if (path === 'journal/events.jsonl') return { text: mergeJournals(ours, theirs), conflicts: [] }
  if (path === QUESTIONS) return mergeQuestions(versions)
  if (path === STATE_HISTORY) return { text: mergeHistory(ours, theirs), conflicts: [] }
  if (path === STATE) return { text: mergeState(ours, theirs), conflicts: [] }
  if (path === HASHES) return mergeHashes(versions)
  return /^decisions\/[^/]+\.md$/.test(path) ? mergeDecision(versions, path.slice('decisions/'.length)) : undefined
}

/** Merges whole entries in time order, each once. */
function mergeHistory(ours: string, theirs: string): string {
  const entries = (text: string) => text.split(/^(?=## )/m).filter((entry) => entry.trim() !== '')
  const closed = (entry: string) => (entry.endsWith('\n') ? entry : `${entry}\n`)
  const all = [...new Set([...entries(ours), ...entries(theirs)].map(closed))]
  const [before, dated] = [all.filter((e) => !e.startsWith('## ')), all.filter((e) => e.startsWith('## '))]
  return [...before, ...dated.sort((a, b) => (a < b ? -1 : 1))].join('')
}

const STAMP = /^\*Last updated: (.*)\*\s*$/m

/**
 * Both branches describe the project's state, so both apply: the newer text first, then lines that only the older text
 * has.
 */
function mergeState(ours: string, theirs: string): string {
  const age = (text: string) => `${STAMP.exec(text)?.[1] ?? ''} ${text}`
  const [newer, older] = age(ours) > age(theirs) ? [ours, theirs] : [theirs, ours]
  const known = new Set(newer.split('\n'))
  const more = older
    .split('\n')
    .filter((line) => line.trim() !== '' && !known.has(line) && !STAMP.test(line) && !line.startsWith('# '))
  const stamp = STAMP.exec(newer)
  const body = stamp === null ? newer : newer.slice(0, stamp.index)
  return `${body.trimEnd()}\n\n${more.join('\n')}\n${stamp === null ? '' : `\n${stamp[0].trimEnd()}\n`}`
}

/** Keeps additions and applies removals of either side. */
function mergeHashes({ base, ours, theirs }: Versions): MergedText | undefined {
  const [old, mine, yours] = [parseHashIndex(base || '{}'), parseHashIndex(ours), parseHashIndex(theirs)]
  if (old === undefined || mine === undefined || yours === undefined) return undefined
  const all = [...Object.entries(mine), ...Object.entries(yours)].sort(([, x], [, y]) =>
    x.decision_id < y.decision_id ? 1 : -1,
  )
  const kept = [...new Map(all)].filter(([hash]) => !(hash in old) || (hash in mine && hash in yours))
  return { text: formatHashIndex(inOrder(kept)), conflicts: [] }
}

const inOrder = (entries: readonly [string, HashIndex[string]][]): HashIndex =>
  Object.fromEntries(entries.toSorted(([a, x], [b, y]) => (x.timestamp + a < y.timestamp + b ? -1 : 1)))
