import { addUsage, NO_USAGE } from '../kernel/domain/model-usage.ts'
import type { AnalystState } from './ports/analyst-state.ts'

/**
 * Ends messages that a crash left open in a chat, with their cost so far. Only for a chat without a writer: its claim
 * was free, or is held by the caller.
 */
export async function closeInterrupted({ log, calls }: AnalystState, chat: string): Promise<void> {
  const open = (await log.messages(chat)).filter(({ role, end }) => role === 'assistant' && end === undefined)
  if (open.length === 0) return
  const [made, parts] = await Promise.all([calls.list({ chat }), log.parts(chat, 0)])
  for (const { id, at } of open) {
    const own = made.filter(({ message }) => message === id)
    const last = parts.findLast(({ message }) => message === id)?.at ?? at
    await log.end(id, {
      reason: 'cut',
      usage: own.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
      milliseconds: Math.max(0, Date.parse(last) - Date.parse(at)),
      steps: own.filter(({ purpose }) => purpose === 'answer').length,
    })
  }
}
