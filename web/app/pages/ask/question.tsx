import { memo, useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { useDraft } from '../../kit/use-draft.ts'
import type { Ask } from './ask-function.ts'
import type { HeardMessage } from './chat-log.ts'
import type { Asked } from './live-chat.ts'
import { questionImages, questionText } from './question-text.ts'
import css from './question.module.css'

interface Props {
  readonly message: HeardMessage
  readonly isBusy: boolean
  /** The author, if it is not the reader. */
  readonly by?: string | undefined
  readonly ask: Ask
}

/** A question. It can be edited and asked again, which removes everything after it. */
export const Question = memo(function Question({ message, isBusy, by, ask }: Props) {
  const [isEdited, setEdited] = useState(false)
  const text = questionText(message)
  if (isEdited)
    return (
      <EditQuestion
        message={message.id}
        text={text}
        onLeave={() => setEdited(false)}
        onSend={(words) => {
          setEdited(false)
          ask(words, { instead: message.id, images: questionImages(message) })
        }}
      />
    )
  return (
    <article className={css.question} data-message={message.id} data-question>
      <QuestionWords text={text} images={questionImages(message)} />
      <div className={css.aside}>
        <span className={css.who}>
          {message.model === undefined ? (by ?? 'you') : message.model} ·{' '}
          <time dateTime={message.at}>{clock(message.at)}</time>
        </span>
        {!isBusy && message.model === undefined && (
          <IconButton icon="edit" size="small" label="Edit and ask again" onClick={() => setEdited(true)} />
        )}
      </div>
    </article>
  )
})

/** A question just sent, before it appears in the chat. */
export const SentQuestion = ({ asked, isFailed = false }: { asked: Asked; isFailed?: boolean }) => (
  <article className={css.question} aria-busy={!isFailed}>
    <QuestionWords text={asked.text} images={asked.images} />
    <div className={css.aside}>
      <span className={css.who}>you · {isFailed ? 'not sent' : 'sending'}</span>
    </div>
  </article>
)

const QuestionWords = ({ text, images }: { text: string; images: readonly string[] }) => {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > LONG
  return (
    <div className={css.words}>
      <h2 className={css.text}>{isLong && !isWhole ? `${text.slice(0, LONG)}…` : text}</h2>
      {isLong && (
        <Button look="quiet" size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
      {images.length > 0 && (
        <div className={css.images}>
          {images.map((image, at) => (
            <img key={at} className={css.image} src={image} alt={`Image ${at + 1} of the question`} />
          ))}
        </div>
      )}
    </div>
  )
}

const LONG = 900

interface EditProps {
  readonly message: string
  readonly text: string
  readonly onLeave: () => void
  readonly onSend: (text: string) => void
}

const EditQuestion = ({ message, text, onLeave, onSend }: EditProps) => {
  const { text: words, set, clear } = useDraft(`question.${message}`, text)
  const leave = (): void => {
    clear()
    onLeave()
  }
  const send = (): void => {
    if (words.trim() === '') return
    clear()
    onSend(words.trim())
  }
  return (
    <form
      className={css.edit}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') leave()
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
      }}
    >
      <TextArea
        label="Edit question"
        hint="Everything after it is removed."
        value={words}
        autoFocus
        rows={Math.min(8, words.split('\n').length + 1)}
        onChange={(event) => set(event.target.value)}
      />
      <div className={css.buttons}>
        <Button size="small" onClick={leave}>
          Cancel
        </Button>
        <Button size="small" look="primary" type="submit" aria-disabled={words.trim() === ''}>
          Ask again
        </Button>
      </div>
    </form>
  )
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

function clock(at: string): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return ''
  return (Date.now() - time.getTime() < 20 * 3_600_000 ? CLOCK : DAY).format(time)
}
