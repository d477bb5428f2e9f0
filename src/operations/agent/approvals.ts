import type { Approvals } from '../../agent/run-calls.ts'
import type { LiveTurn } from '../../agent/running-turns.ts'
import type { StopSignal } from '../../core/sql/query.ts'
import type { ChatLog } from '../../ports/chat-log.ts'

/**
 * Whoever hears the chat says whether a call may be made: a person at the terminal, or at a page through chat_approve.
 * Where nobody hears it, and when the turn is stopped, it is a no.
 */
export const openApprovals = (turn: {
  readonly chat: string
  readonly log: ChatLog
  readonly live: LiveTurn
  readonly isHeard: boolean
  readonly signal: StopSignal
}): Approvals => ({
  async isAllowed(tool) {
    const parts = (await turn.log.parts(turn.chat, 0)).map(({ part }) => part)
    const allowed = new Set(
      parts.flatMap((part) => (part.kind === 'approved' && part.answer === 'chat' ? [part.call] : [])),
    )
    return parts.some((part) => part.kind === 'approval' && part.tool === tool && allowed.has(part.call))
  },
  async approve({ id }) {
    if (!turn.isHeard || turn.signal.aborted) return 'no'
    const { promise, resolve } = Promise.withResolvers<'no'>()
    const refuse = (): void => resolve('no')
    turn.signal.addEventListener('abort', refuse)
    try {
      return await Promise.race([turn.live.approval(id), promise])
    } finally {
      turn.signal.removeEventListener('abort', refuse)
    }
  },
})
