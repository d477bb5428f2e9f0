import type { Decision } from './decision/decision.ts'
import { type DecisionChange, rewriteDecision } from './decision/rewrite.ts'
import { decisionPath } from './files.ts'
import { decisionsOf, type RecordFiles } from './merge.ts'

/**
 * Makes supersessions agree after two records were merged: of two decisions that superseded one, the one it names wins,
 * and one with a missing successor is active again. Returns the questions for a person. What neither side touched is
 * unchanged.
 */
export function mendSupersession(files: Record<string, string>, base: RecordFiles): string[] {
  const asked: string[] = []
  const all = new Map([...decisionsOf(files)].map(([stem, decision]) => [decision.num, { stem, decision }]))
  const isTouched = (stem: string) => files[decisionPath(stem)] !== base[decisionPath(stem)]
  const change = (num: number, made: DecisionChange): void => {
    const { stem, decision } = all.get(num)!
    const content = rewriteDecision(decision, made)
    files[decisionPath(stem)] = content
    all.set(num, { stem, decision: reread(files, stem) ?? decision })
  }
  const numbers = [...all.keys()].sort((a, b) => a - b)
  for (const num of numbers) {
    const { decision, stem } = all.get(num)!
    if (decision.superseded_by !== null && !all.has(Number(decision.superseded_by)) && isTouched(stem))
      change(num, { status: 'active', superseded_by: null })
  }
  for (const num of numbers) {
    const { decision, stem } = all.get(num)!
    if (decision.supersedes === null) continue
    const old = all.get(Number(decision.supersedes))
    if (!isTouched(stem) && (old === undefined || !isTouched(old.stem))) continue
    if (old === undefined) change(num, { supersedes: null })
    else if (old.decision.superseded_by === null)
      change(old.decision.num, { status: 'superseded', superseded_by: String(num) })
    else if (Number(old.decision.superseded_by) !== num) {
      change(num, { supersedes: null })
      asked.push(
        `D${old.decision.superseded_by} and D${num} were both recorded to replace D${old.decision.num}, which names D${old.decision.superseded_by}. Which holds?`,
      )
    }
  }
  return asked
}

const reread = (files: RecordFiles, stem: string): Decision | undefined =>
  decisionsOf({ [decisionPath(stem)]: files[decisionPath(stem)]! }).get(stem)
