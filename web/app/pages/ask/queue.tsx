import { useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { useDraft } from '../../kit/use-draft.ts'
import type { Queued } from './drafts.ts'
import css from './queue.module.css'

interface Props {
  readonly queue: readonly Queued[]
  readonly isBusy: boolean
  readonly onChange: (queue: readonly Queued[]) => void
  readonly onGoOn: () => void
}

/** Queued questions, each sent when the previous answer is complete. */
export const Queue = ({ queue, isBusy, onChange, onGoOn }: Props) => {
  const [edited, setEdited] = useState<string>()
  if (queue.length === 0) return null
  const without = (id: string): readonly Queued[] => queue.filter((one) => one.id !== id)
  const change = (id: string, text: string): void => {
    setEdited(undefined)
    onChange(text.trim() === '' ? without(id) : queue.map((one) => (one.id === id ? { ...one, text } : one)))
  }
  return (
    <section className={css.queue} aria-label="Queued questions">
      <header className={css.head}>
        <span>{isBusy ? 'Queued, asked in this order' : 'Queued'}</span>
        {!isBusy && (
          <Button size="small" look="primary" onClick={onGoOn}>
            Ask now
          </Button>
        )}
      </header>
      <ol className={css.list}>
        {queue.map((one) => (
          <li key={one.id} className={css.one}>
            {edited === one.id ? (
              <EditQueued id={one.id} text={one.text} onDone={(text) => change(one.id, text)} />
            ) : (
              <>
                <span className={css.text}>{one.text}</span>
                <IconButton icon="edit" size="small" label="Edit" onClick={() => setEdited(one.id)} />
                <IconButton icon="close" size="small" label="Remove" onClick={() => onChange(without(one.id))} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface EditProps {
  readonly id: string
  readonly text: string
  readonly onDone: (text: string) => void
}

const EditQueued = ({ id, text, onDone }: EditProps) => {
  const { text: words, set: setWords, clear } = useDraft(`queued.${id}`, text)
  const leave = (wanted: string): void => {
    clear()
    onDone(wanted)
  }
  return (
    <div className={css.edit}>
      <TextArea
        label="Queued question"
        hideLabel
        autoFocus
        rows={2}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            leave(words)
          }
          if (event.key === 'Escape') leave(text)
        }}
      />
      <Button size="small" onClick={() => leave(words)}>
        Keep
      </Button>
    </div>
  )
}
