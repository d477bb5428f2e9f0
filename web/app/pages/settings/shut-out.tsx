import { call, type Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { WithCode } from '../../kit/with-code.tsx'
import { useMutation } from './use-mutation.ts'

export type LetInBrowser = Calls['browsers_list']['output']['browsers'][number]

export const browserWords = ({ name }: LetInBrowser): string => name ?? 'Another browser'

interface Props {
  readonly meant: LetInBrowser | 'others'
  readonly onClose: () => void
}

const THIS = 'It is the one you are looking at: this page stops working until `ken app` gives it a new link.'
const ANOTHER = 'Only a new link of `ken app` lets it in again. What it began goes on.'

/** Asks for confirmation: a signed-out browser cannot be signed in again from here. */
export const ShutOut = ({ meant, onClose }: Props) => {
  const project = useProject()
  const { isBusy, fault, run } = useMutation()
  const shutOut = (): void =>
    void run(async () => {
      const { ended } = await call(
        project,
        'browsers_end',
        meant === 'others' ? { others: true } : { browser: [meant.id] },
      )
      showToast({ text: ended.length === 1 ? 'One browser is shut out.' : `${ended.length} browsers are shut out.` })
    }).then((isDone) => isDone && onClose())
  return (
    <Dialog
      open
      onClose={onClose}
      title={meant === 'others' ? 'Shut all others out?' : `Shut out ${browserWords(meant)}?`}
      description={<WithCode>{meant !== 'others' && meant.is_this ? THIS : ANOTHER}</WithCode>}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="bad" busy={isBusy} onClick={shutOut}>
            Shut out
          </Button>
        </>
      }
    >
      {fault && <FaultNote fault={fault} />}
    </Dialog>
  )
}
