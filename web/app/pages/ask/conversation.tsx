import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { turnAnswer } from '../../../../src/analyst/domain/chat/turn-answer.ts'
import type { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { AnswerInspector } from './answer-inspector.tsx'
import { Answer } from './answer.tsx'
import { CameFrom } from './came-from.tsx'
import { ChatHead } from './chat-head.tsx'
import { openAnswer, type HeardMessage, type ChatLog } from './chat-log.ts'
import { Composer } from './composer/composer.tsx'
import { JumpToEnd } from './jump-to-end.tsx'
import { liveChat, type ChatState, type LiveChat } from './live-chat.ts'
import { questionText } from './question-text.ts'
import { Question, SentQuestion } from './question.tsx'
import { Queue } from './queue.tsx'
import { ReadOnly } from './read-only.tsx'
import { useChosenModel } from './use-chosen-model.ts'
import { useKnownChat } from './use-known-chat.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'
import css from './conversation.module.css'

/** One chat: questions, answers and the composer. */
export const Conversation = ({ chat }: { chat: string }) => {
  const { live, state } = useLiveChat(chat)
  const [model] = useChosenModel()
  const { log, phase, sent, queue, fault } = state
  const isAnswering = openAnswer(log) !== undefined
  const end = useStayAtEnd({ log, sent, isAnswering, isThere: log.messages.length > 0 })
  const { known, isOwn } = useKnownChat(chat)
  const isBusy = phase === 'sending' || phase === 'answering'
  const ask = useMemo(
    () =>
      (text: string, more: { images?: readonly string[]; instead?: string; model?: string } = {}) =>
        live.ask({ text, images: more.images ?? [], model: more.model ?? model, instead: more.instead }),
    [live, model],
  )
  return (
    <section className={css.conversation} aria-label="Conversation">
      <ChatHead chat={chat} log={log} />
      <div ref={end.frame} className={css.scroller} onScroll={end.onScroll} tabIndex={-1}>
        <div ref={end.inside} className={css.messages}>
          {phase === 'loading' && log.messages.length === 0 && sent === undefined && (
            <Skeleton rows={5} label="Loading the chat" />
          )}
          {known?.from !== undefined && <CameFrom {...known.from} />}
          {log.messages.map((message, at) =>
            message.role === 'user' ? (
              <Question
                key={message.id}
                message={message}
                isBusy={isBusy || !isOwn}
                by={known?.owner?.name}
                ask={ask}
              />
            ) : (
              <Answer
                key={message.id}
                chat={chat}
                message={message}
                question={questionBefore(log.messages, at)}
                isLast={at === log.messages.length - 1}
                isBusy={isBusy}
                isOwn={isOwn}
                ask={ask}
              />
            ),
          )}
          {sent !== undefined && <SentQuestion asked={sent} />}
          {fault !== undefined && <FaultNote fault={fault} again={() => live.reload()} />}
        </div>
      </div>
      <div className={css.foot}>
        <JumpToEnd isShown={!end.isAtEnd} isAnswering={isAnswering} onJump={end.jump} />
        {known?.owner !== undefined && <ReadOnly chat={chat} owner={known.owner.name} />}
        {isOwn && (
          <>
            <Queue queue={queue} isBusy={isBusy} onChange={live.setQueue} onGoOn={live.goOn} />
            <Composer chat={chat} isBusy={isBusy} onSend={ask} onStop={() => void live.stop()} log={log} />
          </>
        )}
      </div>
      <AnswerInspector message={log.messages.findLast(({ role }) => role === 'assistant')} />
      <Announcer log={log} fault={fault} />
    </section>
  )
}

/** The question that an answer belongs to. */
function questionBefore(messages: readonly HeardMessage[], at: number): HeardMessage | undefined {
  const before = messages[at - 1]
  return before?.role === 'user' && questionText(before) !== '' ? before : undefined
}

/** Announces once when an answer has ended, failed or asked for clarification, not every word of it. */
const Announcer = ({ log, fault }: { log: ChatLog; fault: Fault | undefined }) => (
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

/** The live chat with this id. */
function useLiveChat(chat: string): { readonly live: LiveChat; readonly state: ChatState } {
  const project = useProject()
  const client = useQueryClient()
  const live = useMemo(
    () =>
      liveChat(project, chat, () => {
        void client.invalidateQueries({ queryKey: [project, 'chats_list'] })
        void client.invalidateQueries({ queryKey: [project, 'chat_show'] })
        void client.invalidateQueries({ queryKey: [project, 'stories_list'] })
      }),
    [project, chat, client],
  )
  const state = useSyncExternalStore(live.subscribe, live.get)
  return { live, state }
}
