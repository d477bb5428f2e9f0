import type { AnalystState } from '../ports/analyst-state.ts'
import type { Clock } from '../ports/clock.ts'
import type { RunningTurns } from '../ports/running-turns.ts'
import { settleCut } from './settle-cut.ts'

/** How long a deleted chat can be brought back. */
export const DAYS_UNTIL_SWEPT = 30

/** What is due when the state is opened: answers that a crash cut off are ended, and old deleted chats taken away. */
export async function tidyChats(
  state: AnalystState,
  parts: { readonly clock: Clock; readonly turns: Pick<RunningTurns, 'isRunning'>; readonly longestTurn: number },
): Promise<void> {
  await settleCut(state, parts)
  await state.chats.sweep(new Date(parts.clock.now().getTime() - DAYS_UNTIL_SWEPT * 86_400_000).toISOString())
}
