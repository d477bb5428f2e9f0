import type { FormEvent } from 'react'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextArea } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import type { Memory } from './memory-item.tsx'
import styles from './about-me.module.css'

/** Rewords a memory. */
export const EditMemory = ({ memory, onClose }: { memory: Memory; onClose: () => void }) => {
  const { text, set, clear } = useDraft(`memory.${memory.id}`, memory.content)
  const edit = useAct('memories_edit')
  const undo = useAct('memories_undo')
  const leave = (): void => {
    clear()
    onClose()
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      const { changed } = await edit.mutateAsync({ memory: memory.id, content: text })
      leave()
      if (changed) showToast({ text: 'Changed', undo: () => undo.mutateAsync({}) })
    } catch {
      // The error is shown below, and the text stays.
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} onKeyDown={(event) => event.key === 'Escape' && leave()}>
      <TextArea
        label="Text"
        hideLabel
        autoFocus
        rows={2}
        maxLength={1_000}
        value={text}
        onChange={(event) => set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }
        }}
      />
      {edit.error !== null && <FaultNote fault={edit.error} />}
      <div className={styles.actions}>
        <Button type="submit" size="small" look="primary" busy={edit.isPending} disabled={text.trim().length < 4}>
          Save
        </Button>
        <Button size="small" look="quiet" onClick={leave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
