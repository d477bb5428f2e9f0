import type { AnalystContext } from '../../analyst/ports/analyst-context.ts'
import type { EvaluationState } from './evaluation-state.ts'

/** Put into a context, it is one whose chats, stories and memories nobody sees afterwards. */
export interface Apart extends Pick<EvaluationContext, 'analystState' | 'turns' | 'storyLease' | 'stateEnvironment'> {
  close(): Promise<void>
}

/** What test runs work with. */
export interface EvaluationContext extends AnalystContext {
  /** Chats, stories, memories of the user, feedback. Opened when first asked for. */
  analystState(): Promise<EvaluationState>
  /** The analyst's state to try something out in: empty, and gone when it is closed. */
  apart(): Promise<Apart>
}
