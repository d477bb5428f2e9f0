import { AppError } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { closeInterrupted } from './close-interrupted.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import type { Turns } from './running-turns.ts'

/** Days during which a deleted chat can be restored. */
export const DAYS_UNTIL_SWEPT = 30

/** Runs when the state is opened: ends answers that a crash interrupted, and purges old deleted chats. */
export async function tidyChats(state: AnalystState, clock: Clock, turns: Turns): Promise<void> {
  const now = clock.now()
  const left = await state.log.unended(now.toISOString())
  for (const chat of new Set(left.map((message) => message.chat))) await endUnlessWritten(state, chat, turns)
  await state.chats.sweep(new Date(now.getTime() - DAYS_UNTIL_SWEPT * 86_400_000).toISOString())
}

async function endUnlessWritten(state: AnalystState, chat: string, turns: Turns): Promise<void> {
  try {
    const claimed = await turns.begin(chat, () => {})
    await closeInterrupted(state, chat).finally(() => claimed.close())
  } catch (error) {
    // Skips a chat in which another process is writing.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  }
}
