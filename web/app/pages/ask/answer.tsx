import { useIsFetching } from '@tanstack/react-query'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useProject } from '../../api/queries.ts'
import { AnswerCards, CardRows } from './answer-cards.tsx'
import { AnswerFoot } from './answer-foot.tsx'
import { AnswerText } from './answer-text.tsx'
import { AnswerTrouble } from './answer-trouble.tsx'
import { answerView } from './answer-view.ts'
import { AnswerWay } from './answer-way.tsx'
import { Approvals } from './approvals.tsx'
import type { Ask } from './ask-function.ts'
import { AskedBack } from './asked-back.tsx'
import type { HeardMessage } from './chat-log.ts'
import type { MarkedCell } from './query-card.tsx'
import css from './answer.module.css'

interface Props {
  readonly chat: string
  readonly message: HeardMessage
  readonly question: HeardMessage | undefined
  readonly isLast: boolean
  readonly isBusy: boolean
  /** If false, the answer is read-only here. */
  readonly isOwn: boolean
  readonly ask: Ask
}

/** An answer: how it was found, its text, and the sources of its numbers. */
export const Answer = memo(function Answer({ chat, message, question, isLast, isBusy, isOwn, ask }: Props) {
  const view = useMemo(() => answerView(message.parts), [message.parts])
  const asked = useMemo(
    () => (question?.parts ?? []).flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'),
    [question],
  )
  const [marked, setMarked] = useState<MarkedCell>()
  const [opened, setOpened] = useState<readonly string[]>([])
  const place = useRef<HTMLElement>(null)
  const isDone = message.end !== undefined
  const isWhole = useWhole(chat, isDone)
  const showQuery = useCallback((query: string, cell?: Omit<MarkedCell, 'query' | 'at'>) => {
    setOpened((before) => (before.includes(query) ? before : [...before, query]))
    setMarked(cell === undefined ? undefined : { ...cell, query, at: Date.now() })
    // The card may have to render first.
    requestAnimationFrame(() =>
      place.current?.querySelector(`[data-query="${CSS.escape(query)}"]`)?.scrollIntoView({ block: 'nearest' }),
    )
  }, [])
  const shown = useMemo(
    () => view.queries.filter((query) => view.shown.includes(query) || opened.includes(query)),
    [view, opened],
  )
  return (
    <article
      ref={place}
      className={css.answer}
      data-done={isDone || undefined}
      aria-label="Answer"
      data-message={message.id}
    >
      <AnswerWay message={message} view={view} onQuery={showQuery} />
      <Approvals chat={chat} approvals={view.approvals} isOpen={!isDone && isOwn} />
      <AnswerText
        text={view.text}
        citations={view.citations}
        queries={view.queries}
        asked={asked}
        isOpen={!isDone}
        onCell={showQuery}
      />
      <AnswerTrouble message={message} view={view} />
      {isWhole ? (
        <AnswerCards chat={chat} view={view} shown={shown} marked={marked} />
      ) : (
        <CardRows chat={chat} view={view} />
      )}
      {view.question !== undefined && (
        <AskedBack
          question={view.question}
          options={view.options}
          isOpen={isLast && isDone && !isBusy && isOwn}
          ask={ask}
        />
      )}
      {isWhole && (
        <AnswerFoot
          chat={chat}
          message={message}
          view={view}
          question={question}
          isLast={isLast}
          isBusy={isBusy}
          isOwn={isOwn}
          ask={ask}
        />
      )}
    </article>
  )
})

/** Whether an answer has ended and the rows of its cards are loaded, so that nothing moves when cards and foot appear. */
function useWhole(chat: string, isDone: boolean): boolean {
  const loading = useIsFetching({ queryKey: ['kept', useProject(), chat] })
  const [isWhole, setWhole] = useState(isDone)
  useEffect(() => {
    if (isDone && loading === 0) setWhole(true)
  }, [isDone, loading])
  return isWhole
}
