import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import type { Memory } from './memory-item.tsx'

/** Erases the text permanently, including its history, after confirmation. */
export const EraseMemory = ({ memory, onClose }: { memory: Memory; onClose: () => void }) => {
  const erase = useAct('memories_forget')
  const go = (): void => erase.mutate({ memory: memory.id, erase: true, yes: true }, { onSuccess: onClose })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Erase for good?"
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button look="bad" busy={erase.isPending} onClick={go}>
            Erase
          </Button>
        </>
      }
    >
      <p>“{memory.content}”</p>
      <p>
        Erases its text and history. This cannot be undone. The chat it came from keeps the words until you delete it.
      </p>
      {erase.error !== null && <FaultNote fault={erase.error} />}
    </Dialog>
  )
}
