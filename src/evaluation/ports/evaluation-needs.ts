import type { AnalystNeeds } from '../../analyst/ports/analyst-needs.ts'
import type { EvaluationState } from './evaluation-state.ts'

/** Overrides for a context whose chats, stories and memories are discarded afterwards. */
export interface Apart extends EvaluationNeeds, Pick<AnalystNeeds, 'turns' | 'storyLease' | 'stateEnvironment'> {
  close(): Promise<void>
}

/** The analyst's state with its test runs. */
export interface EvaluationNeeds {
  /** Chats, stories, the user's memories and feedback. Opened on first use. */
  analystState(): Promise<EvaluationState>
}

/** Temporary state for trying something out, on a machine. */
export interface LocalEvaluationNeeds {
  /** Empty analyst state for trying something out, deleted on `close`. */
  apart(): Promise<Apart>
}
