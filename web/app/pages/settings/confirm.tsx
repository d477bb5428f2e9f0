import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { useMutation } from './use-mutation.ts'

interface Props {
  readonly title: string
  readonly about: string
  /** Label of the confirming button. */
  readonly word: string
  readonly deed: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for confirmation before an action that cannot be undone from here. */
export const Confirm = ({ title, about, word, deed, onClose }: Props) => {
  const { isBusy, fault, run } = useMutation()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={about}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="bad" busy={isBusy} onClick={() => void run(deed).then((isDone) => isDone && onClose())}>
            {word}
          </Button>
        </>
      }
    >
      {fault && <FaultNote fault={fault} />}
    </Dialog>
  )
}
