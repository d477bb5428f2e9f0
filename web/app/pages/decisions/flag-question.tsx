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
    if (question.trim() === '') return setTold('Enter the question.')
    flag.mutate(
      { question, ...(context.trim() !== '' && { context }) },
      {
        onSuccess: (done) => {
          if (done.status === 'rejected') return setTold(done.error?.reason ?? 'Not accepted.')
          forget(draft)
          setTold(
            [done.hint, ...(done.brings_back ?? []).map((one) => `Reintroduces ${one.alternative}, rejected before.`)]
              .filter(Boolean)
              .join(' '),
          )
          void say(`Added Q${done.num}.`)
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2 className={styles.heading}>Flag a question</h2>
      <TextArea
        label="Question"
        value={draft.question}
        onChange={(event) => setDraft({ ...draft, question: event.target.value })}
      />
      <TextField
        label="Why it matters"
        hint="Optional."
        value={draft.context}
        onChange={(event) => setDraft({ ...draft, context: event.target.value })}
      />
      <div>
        <Button look="primary" type="submit" busy={flag.isPending}>
          Add question
        </Button>
      </div>
      <p role="status" className={styles.told}>
        {told}
      </p>
      {flag.error !== null && <FaultNote fault={flag.error} />}
    </form>
  )
}
