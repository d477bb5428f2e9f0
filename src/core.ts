// Public entry point `kenbase/core`: the record's file format and ranking, for other tools to read and write.
export { parseDecision } from './record/domain/decision/parse.ts'
export { formatDecision, formatFaithfully } from './record/domain/decision/format.ts'
export { DecisionFault, type FaultKind } from './record/domain/decision/fault.ts'
export { decisionNumber, decisionStem, slugify } from './record/domain/decision/decision-id.ts'
export { duplicateHash, normalizeTitle } from './record/domain/decision/duplicate.ts'
export {
  CONFIDENCES,
  DECISION_TYPES,
  FRONTMATTER_KEYS,
  REVERSIBILITIES,
  SOURCES,
  STATUSES,
  type Confidence,
  type Decision,
  type DecisionType,
  type RejectedAlternative,
  type Reversibility,
  type DecisionSource,
  type Status,
} from './record/domain/decision/decision.ts'
export { indexText } from './record/domain/decision/decision-texts.ts'
export { verdictOf, type Verdict } from './retrieval/domain/ranking/verdict.ts'
export { stem } from './kernel/domain/text/stem.ts'
export { rankBm25, type Bm25Hit } from './retrieval/domain/ranking/bm25.ts'
export { CHECK_STOP_WORDS, STOP_WORDS } from './kernel/domain/text/decision-tokens.ts'
export { parseQuestions, addQuestion, resolveQuestions, type Question } from './record/domain/question.ts'
export { updateState } from './record/domain/state.ts'
export { makeSnapshot, serializeSnapshot, type Snapshot } from './record/domain/snapshot/snapshot.ts'
export { nearestSnapshot, prunable } from './record/domain/snapshot/retention.ts'
export { AppError, ERROR_TABLE, type ErrorCode } from './kernel/domain/errors.ts'
