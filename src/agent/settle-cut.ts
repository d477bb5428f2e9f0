import { addUsage, NO_USAGE } from '../core/chat/chat.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { Clock } from '../ports/clock.ts'
import type { RunningTurns } from '../ports/running-turns.ts'

/**
 * Ends answers that a crash left without one as `cut`, with what they had cost by then. One that is younger than any
 * turn can last may be under way in another process, and is left alone.
 */
export async function settleCut(
  state: Pick<AnalystState, 'log' | 'calls'>,
  { clock, turns, longestTurn }: { clock: Clock; turns: Pick<RunningTurns, 'isRunning'>; longestTurn: number },
): Promise<number> {
  const before = new Date(clock.now().getTime() - longestTurn).toISOString()
  const left = (await state.log.unended(before)).filter(({ chat }) => !turns.isRunning(chat))
  for (const { id, chat, at } of left) {
    const calls = (await state.calls.list({ chat })).filter(({ message }) => message === id)
    const parts = (await state.log.parts(chat, 0)).filter(({ message }) => message === id)
    await state.log.end(id, {
      reason: 'cut',
      usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
      milliseconds: Math.max(0, Date.parse(parts.at(-1)?.at ?? at) - Date.parse(at)),
      steps: calls.filter(({ purpose }) => purpose === 'answer').length,
    })
  }
  return left.length
}
