import { useState, type FormEvent } from 'react'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextField } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import styles from './about-me.module.css'

/** Adds something to remember, everywhere or in this project. */
export const AddMemory = () => {
  const { text, set, sent } = useDraft('new-memory', '')
  const [isHere, setHere] = useState(false)
  const add = useAct('memories_add')
  const undo = useAct('memories_undo')
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    try {
      const { category, superseded } = await add.mutateAsync({ content: text.trim(), here: isHere })
      sent(text)
      showToast({
        text: `Remembered as a ${category === 'global_rule' ? 'rule' : 'fact'}${superseded === undefined ? '' : `, replacing: ${superseded.content}`}`,
        undo: () => undo.mutateAsync({}),
      })
    } catch {
      // The error is shown below, and the text stays.
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className={styles.form}>
        <TextField
          label="Rule or fact about me"
          placeholder="For example: Show amounts in euros."
          value={text}
          maxLength={1_000}
          onChange={(event) => set(event.target.value)}
        />
        <label className={styles.choice}>
          <input type="checkbox" checked={isHere} onChange={(event) => setHere(event.target.checked)} />
          Only in this project
        </label>
        <Button type="submit" look="primary" busy={add.isPending} disabled={text.trim().length < 4}>
          Remember
        </Button>
      </div>
      {add.error !== null && <FaultNote fault={add.error} />}
    </form>
  )
}
