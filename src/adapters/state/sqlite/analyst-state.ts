import { AppError } from '../../../core/errors.ts'
import type { AnalystState } from '../../../ports/analyst-state.ts'

/** Chats, stories, memories and feedback in `state.db`. */
export function openSqliteAnalystState(path: string): Promise<AnalystState> {
  throw new AppError('internal', `${path} cannot hold chats yet.`)
}
