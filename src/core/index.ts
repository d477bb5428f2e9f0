// The public entry point `kenbase/core`: the file format of the record and its ranking, for other tools to read and
// write.
export { parseDecision } from './decision/parse.ts'
export { formatDecision, formatFaithfully } from './decision/format.ts'
export { DecisionFault, type FaultKind } from './decision/fault.ts'
export { decisionNumber, decisionStem, slugify } from './decision/decision-id.ts'
export { duplicateHash, normalizeTitle } from './decision/duplicate.ts'
export {
  CONFIDENCES,
  DECISION_TYPES,
  FRONTMATTER_KEYS,
  REVERSIBILITIES,
  SOURCES,
  STATUSES,
  indexText,
  type Confidence,
  type Decision,
  type DecisionType,
  type RejectedAlternative,
  type Reversibility,
  type DecisionSource,
  type Status,
} from './decision/decision.ts'
export { verdictOf, type Verdict } from './ranking/verdict.ts'
export { stem } from './text/stem.ts'
export { rankBm25, type Bm25Hit } from './ranking/bm25.ts'
export { CHECK_STOP_WORDS, STOP_WORDS } from './text/decision-tokens.ts'
export { parseQuestions, addQuestion, resolveQuestions, type Question } from './question/question.ts'
export { updateState } from './state/state.ts'
export { makeSnapshot, serializeSnapshot, type Snapshot } from './snapshot/snapshot.ts'
export { nearestSnapshot, prunable } from './snapshot/retention.ts'
export { AppError, ERROR_TABLE, type ErrorCode } from './errors.ts'
