import { useId, useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAct, useAnswer } from '../../api/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { classNames } from '../../kit/class-names.ts'
import { TextArea } from '../../kit/field.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { useDraft } from '../../kit/use-draft.ts'
import css from './thumbs.module.css'

type Vote = Calls['feedback_list']['output']['votes'][number]

/** Rates the answer. A downvote asks why, and drafts a rule and a test into the inbox. */
export const Thumbs = ({ chat, message }: { chat: string; message: string }) => {
  const { data } = useAnswer('feedback_list', { chat, limit: 500 })
  const mine = data?.votes.find((one) => one.message === message)
  const [isAsked, setAsked] = useState(false)
  const give = useGiveVote(message, mine)
  return (
    <div className={css.thumbs}>
      <IconButton
        icon="thumb-up"
        size="small"
        label="A good answer"
        title="A good answer"
        aria-pressed={mine?.vote === 'up'}
        className={classNames(mine?.vote === 'up' && css.given)}
        onClick={() => give(mine?.vote === 'up' ? 'none' : 'up', '')}
      />
      <IconButton
        icon="thumb-down"
        size="small"
        label="A bad answer"
        title="A bad answer"
        aria-pressed={mine?.vote === 'down'}
        aria-expanded={isAsked}
        className={classNames(mine?.vote === 'down' && css.given)}
        onClick={() => (mine?.vote === 'down' ? give('none', '') : setAsked(!isAsked))}
      />
      {isAsked && (
        <Reason
          message={message}
          onLeave={() => setAsked(false)}
          onSend={(reason) => {
            setAsked(false)
            give('down', reason)
          }}
        />
      )}
    </div>
  )
}

function useGiveVote(message: string, before: Vote | undefined) {
  const feedback = useAct('feedback')
  return (vote: 'up' | 'down' | 'none', reason: string): void =>
    feedback.mutate(
      { vote, message, ...(reason !== '' && { reason }) },
      {
        onSuccess: ({ drafts }) =>
          showToast({
            text: wordsOn(vote, drafts.length),
            undo: () =>
              feedback.mutateAsync({
                vote: before?.vote ?? 'none',
                message,
                ...(before !== undefined && before.reason !== '' && { reason: before.reason }),
              }),
          }),
        onError: (fault) => showToast({ text: fault.message, tone: 'bad' }),
      },
    )
}

function wordsOn(vote: 'up' | 'down' | 'none', drafts: number): string {
  if (vote === 'none') return 'Vote removed.'
  if (vote === 'up') return 'Marked as a good answer.'
  return drafts === 0 ? 'Marked as a bad answer.' : 'Drafted a rule and a test in your inbox.'
}

interface ReasonProps {
  readonly message: string
  readonly onLeave: () => void
  readonly onSend: (reason: string) => void
}

const Reason = ({ message, onLeave, onSend }: ReasonProps) => {
  const { text: reason, set, clear } = useDraft(`reason.${message}`, '')
  const id = useId()
  const leave = (): void => {
    clear()
    onLeave()
  }
  const send = (): void => {
    clear()
    onSend(reason.trim())
  }
  return (
    <form
      ref={(element) => element?.scrollIntoView({ block: 'nearest' })}
      className={css.reason}
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') leave()
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
      }}
    >
      <span id={id} className="visually-hidden">
        Why the answer was bad
      </span>
      <TextArea
        label="What is wrong, or what is right instead?"
        hint="Your words become a draft rule."
        rows={2}
        maxLength={4_000}
        autoFocus
        value={reason}
        onChange={(event) => set(event.target.value)}
      />
      <div className={css.buttons}>
        <Button size="small" onClick={leave}>
          Cancel
        </Button>
        <Button size="small" look="primary" type="submit">
          Vote down
        </Button>
      </div>
    </form>
  )
}
