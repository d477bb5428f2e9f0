import { useState, type FormEvent } from 'react'
import { useAct, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './flag-question.module.css'

const NOTHING = { question: '', context: '' }

/** Adds a question to the list; typed text is kept until it is recorded. */
export const FlagQuestion = () => {
  const [draft, setDraft, forget] = useKeptForm(`${useProject()}.question`, NOTHING)
  const [told, setTold] = useState('')
  const flag = useAct('flag_question')
  const say = useUndoToast()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { question, context } = draft
    if (question.trim() === '') return setTold('Say what the question is.')
    flag.mutate(
      { question, ...(context.trim() !== '' && { context }) },
      {
        onSuccess: (done) => {
          if (done.status === 'rejected') return setTold(done.error?.reason ?? 'It was not taken.')
          forget()
          setTold(
            [done.hint, ...(done.brings_back ?? []).map((one) => `It brings back ${one.alternative}, rejected before.`)]
              .filter(Boolean)
              .join(' '),
          )
          void say(`Q${done.num} is on the list.`)
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2 className={styles.heading}>Flag a question</h2>
      <TextArea
        label="What must a person settle?"
        value={draft.question}
        onChange={(event) => setDraft({ ...draft, question: event.target.value })}
      />
      <TextField
        label="Why it matters"
        hint="May be left out."
        value={draft.context}
        onChange={(event) => setDraft({ ...draft, context: event.target.value })}
      />
      <div>
        <Button look="primary" type="submit" busy={flag.isPending}>
          Flag it
        </Button>
      </div>
      <p role="status" className={styles.told}>
        {told}
      </p>
      {flag.error !== null && <FaultNote fault={flag.error} />}
    </form>
  )
}
