import type { AnalystNeeds } from '../../analyst/ports/analyst-needs.ts'
import type { EvaluationState } from './evaluation-state.ts'

/** Overrides for a context whose chats, stories and memories are discarded afterwards. */
export interface Apart extends EvaluationNeeds, Pick<AnalystNeeds, 'turns' | 'storyLease' | 'stateEnvironment'> {
  close(): Promise<void>
}

/** The analyst's state with its test runs. */
export interface EvaluationNeeds {
  /** Chats, stories, memories of the user, feedback. Opened on first use. */
  analystState(): Promise<EvaluationState>
}

/** State to try something out in, on a machine. */
export interface LocalEvaluationNeeds {
  /** The analyst's state to try something out in: empty, and gone when it is closed. */
  apart(): Promise<Apart>
}
