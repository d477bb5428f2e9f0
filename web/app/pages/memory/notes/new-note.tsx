import { useState, type FormEvent } from 'react'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextField } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import styles from './notes.module.css'

/** Adds a line to today's log of this project. */
export const NewNote = () => {
  const { text, set, sent } = useDraft('new-note', '')
  const [isBusy, setBusy] = useState(false)
  const write = useAct('memory_write')
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    setBusy(true)
    try {
      const { scope } = await write.mutateAsync({ content: text })
      sent(text)
      showToast({ text: scope === 'global' ? 'Noted for all projects' : `Noted for ${scope}` })
    } catch {
      // The error is shown below the field, and the text stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className={styles.new}>
        <TextField
          label="New note"
          hideLabel
          placeholder="Write a note, such as how to run something or what you learned"
          value={text}
          onChange={(event) => set(event.target.value)}
        />
        <Button type="submit" busy={isBusy} disabled={text.trim() === ''}>
          Add note
        </Button>
      </div>
      {write.error !== null && <FaultNote fault={write.error} />}
    </form>
  )
}
