import { useState } from 'react'
import { useAct, useAnswer } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { MemoryEvents } from './memory-events.tsx'
import styles from './about-me.module.css'

/** Recent changes of all memories, and an undo for the newest. */
export const RecentChanges = () => {
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useAnswer('memories_history', { limit: 20 }, { enabled: isOpen })
  const undo = useAct('memories_undo')
  const back = (): void =>
    undo.mutate(
      {},
      {
        onSuccess: ({ undone, after, before }) =>
          showToast({ text: undone ? `Undid: ${before ?? after ?? ''}` : 'Nothing to undo' }),
      },
    )
  return (
    <section className={styles.group}>
      <div className={styles.actions}>
        <Button size="small" look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Recent changes
        </Button>
        <Button size="small" look="quiet" icon="undo" busy={undo.isPending} onClick={back}>
          Undo the last change
        </Button>
      </div>
      {undo.error !== null && <FaultNote fault={undo.error} />}
      {isOpen && error !== null && <FaultNote fault={error} />}
      {isOpen && data !== undefined && <MemoryEvents events={data.events} />}
    </section>
  )
}
