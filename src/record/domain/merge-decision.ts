import type { Decision, RejectedAlternative } from './decision/decision.ts'
import { parseDecision } from './decision/parse.ts'
import { type DecisionChange, rewriteDecision } from './decision/rewrite.ts'
import type { MergedText, Versions } from './merge-questions.ts'

/**
 * Merges two changes of one decision field by field: an update on one side and a supersession on the other both apply.
 * Undefined if the sides contradict each other in a way only a person can settle, or a side changed more of the text
 * than its fields.
 */
export function mergeDecision({ base, ours, theirs }: Versions, filename: string): MergedText | undefined {
  const [old, mine, yours] = [readable(base, filename), readable(ours, filename), readable(theirs, filename)]
  if (old === undefined || mine === undefined || yours === undefined) return undefined
  if (!isFieldChange(old, mine) || !isFieldChange(old, yours)) return undefined
  const rationale = mergeRationale(old.rationale, mine.rationale, yours.rationale)
  const plain = mergePlain(old, mine, yours)
  if (rationale === undefined || plain === undefined) return undefined
  const by = pick(old.superseded_by, mine.superseded_by, yours.superseded_by)
  const both = [mine.superseded_by, yours.superseded_by].map(Number).sort((a, b) => a - b)
  const text = rewritten(old, {
    ...plain,
    rationale,
    version: old.version + (mine.version - old.version) + (yours.version - old.version),
    // A supersession undone by one side is undone.
    status: by === undefined ? 'superseded' : pick(old.status, mine.status, yours.status)!,
    superseded_by: by === undefined ? String(both[0]) : by,
    files_affected: mergeList(old.files_affected, mine.files_affected, yours.files_affected),
    rejected: mergeRejected(old.rejected, mine.rejected, yours.rejected),
  })
  if (text === undefined) return undefined
  const conflicts =
    by === undefined
      ? [`D${old.num} was superseded by D${both[0]} on one branch and by D${both[1]} on the other; D${both[0]} stands`]
      : []
  return { text, conflicts }
}

const PLAIN = ['date', 'confidence', 'decision_type', 'reversibility', 'source', 'supersedes', 'title'] as const
type Plain = Pick<Decision, (typeof PLAIN)[number]>

function mergePlain(old: Decision, mine: Decision, yours: Decision): Plain | undefined {
  const merged: Record<string, unknown> = {}
  for (const key of PLAIN) {
    const value = pick<unknown>(old[key], mine[key], yours[key])
    if (value === undefined) return undefined
    merged[key] = value
  }
  return merged as unknown as Plain
}

/** The changed value; undefined if both sides changed it differently. */
function pick<T>(old: T, mine: T, yours: T): T | undefined {
  if (mine === yours || yours === old) return mine
  return mine === old ? yours : undefined
}

/** Updates are appended, so two of them are joined in an order that does not depend on the side. */
function mergeRationale(old: string, mine: string, yours: string): string | undefined {
  const picked = pick(old, mine, yours)
  if (picked !== undefined) return picked
  if (!mine.startsWith(`${old}\n`) || !yours.startsWith(`${old}\n`)) return undefined
  return old + [mine.slice(old.length), yours.slice(old.length)].sort().join('')
}

const mergeList = (old: readonly string[], mine: readonly string[], yours: readonly string[]): string[] => [
  ...mine.filter((item) => yours.includes(item) || !old.includes(item)),
  ...yours.filter((item) => !mine.includes(item) && !old.includes(item)),
]

function mergeRejected(
  old: readonly RejectedAlternative[],
  mine: readonly RejectedAlternative[],
  yours: readonly RejectedAlternative[],
): RejectedAlternative[] {
  const reasons = new Map([...old, ...yours, ...mine].map((r) => [r.name, r]))
  const names = (list: readonly RejectedAlternative[]) => list.map((r) => r.name)
  return mergeList(names(old), names(mine), names(yours)).map((name) => reasons.get(name)!)
}

/** True if the fields explain the whole change: only then can it be split without loss. */
const isFieldChange = (old: Decision, side: Decision): boolean => {
  const { num: _num, body: _body, content: _content, ...fields } = side
  return rewritten(old, fields) === side.content
}

function rewritten(old: Decision, change: DecisionChange): string | undefined {
  try {
    return rewriteDecision(old, change)
  } catch {
    return undefined
  }
}

function readable(text: string, filename: string): Decision | undefined {
  try {
    return parseDecision(text, filename)
  } catch {
    return undefined
  }
}
