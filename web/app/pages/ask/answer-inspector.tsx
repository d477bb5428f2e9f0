import { useMemo } from 'react'
import { inDollars } from '../../../../src/analyst/domain/chat/in-dollars.ts'
import { Facts } from '../../frame/inspector/facts.tsx'
import { InInspector } from '../../frame/inspector/in-inspector.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { answerView } from './answer-view.ts'
import type { HeardMessage } from './chat-log.ts'
import { InjectedList } from './injected-list.tsx'

/**
 * Details of the last answer: its model, its cost, and the injected context. Open while the chat is open: if it
 * appeared at the end of an answer, the page beside it would shrink while the user reads.
 */
export const AnswerInspector = ({ message }: { message: HeardMessage | undefined }) => (
  <InInspector title="Last answer">
    {message?.end === undefined ? (
      <Facts facts={[['Model', message?.model ?? 'shown with the answer']]} />
    ) : (
      <AnswerFacts message={message} />
    )}
  </InInspector>
)

const AnswerFacts = ({ message }: { message: HeardMessage }) => {
  const { end, model, at, parts } = message
  const view = useMemo(() => answerView(parts), [parts])
  const checked = view.citations.filter(({ state }) => state === 'checked').length
  const number = (value: number): string => value.toLocaleString('en')
  return (
    <>
      <Facts
        facts={[
          ['Model', model === 'evidence' ? 'none: the best sources' : model],
          ['When', <TimeAgo key="when" at={at} />],
          ['Time', end && `${(end.milliseconds / 1_000).toFixed(1)} s`],
          [
            'Tokens',
            end && end.usage.input > 0 ? `${number(end.usage.input)} in, ${number(end.usage.output)} out` : undefined,
          ],
          ['From cache', end && end.usage.cached > 0 ? number(end.usage.cached) : undefined],
          ['Cost', end?.usage.cost === undefined ? undefined : inDollars(end.usage.cost)],
          ['Window', end?.window && `${number(end.window.used)} of ${number(end.window.size)} tokens`],
          ['Numbers', view.citations.length === 0 ? undefined : `${checked} of ${view.citations.length} checked`],
        ]}
      />
      {view.injected !== undefined && <InjectedList injected={view.injected} />}
    </>
  )
}
