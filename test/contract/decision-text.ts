import { decisionStem } from '../../src/record/domain/decision/decision-id.ts'
import type { Decision } from '../../src/record/domain/decision/decision.ts'
import { formatDecision } from '../../src/record/domain/decision/format.ts'

/** A decision with defaults for everything the test does not care about. */
export const decision = (num: number, title: string, more: Partial<Decision> = {}): Decision => ({
  date: '2026-02-01',
  confidence: 'high',
  version: 1,
  status: 'active',
  decision_type: null,
  reversibility: null,
  source: null,
  files_affected: [],
  supersedes: null,
  superseded_by: null,
  rejected: [],
  num,
  title,
  rationale: `Because of ${title.toLowerCase()}.`,
  body: '',
  content: '',
  ...more,
})

export const decisionFile = (
  num: number,
  title: string,
  more: Partial<Decision> = {},
): [path: string, text: string] => [
  `decisions/${decisionStem(num, title)}.md`,
  formatDecision(decision(num, title, more)),
]
