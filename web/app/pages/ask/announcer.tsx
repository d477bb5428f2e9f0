import { turnAnswer } from '../../../../src/analyst/domain/chat/turn-answer.ts'
import type { Fault } from '../../api/fault.ts'
import type { ChatLog } from './chat-log.ts'

/** Announces once when an answer has ended, failed or asks back, not every word of it. */
export const Announcer = ({ log, fault }: { log: ChatLog; fault: Fault | undefined }) => (
  <div className="visually-hidden" role="status" aria-live="polite">
    {fault?.message ?? wordsOn(log)}
  </div>
)

function wordsOn({ messages }: ChatLog): string {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return ''
  if (last.end === undefined) return 'Ken is answering.'
  const { failure, question } = turnAnswer(last.parts)
  if (failure !== undefined) return `The answer failed. ${failure.message}`
  if (question !== undefined) return `Ken asks: ${question}`
  return last.end.reason === 'stopped' ? 'Answer stopped.' : 'Answer complete.'
}
