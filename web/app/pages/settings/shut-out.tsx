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

const THIS = 'This is your current browser: this page stops working until you open a new `ken app` link.'
const ANOTHER = 'It needs a new `ken app` link to sign in again. Its running work continues.'

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
      showToast({ text: ended.length === 1 ? 'Signed out 1 browser.' : `Signed out ${ended.length} browsers.` })
    }).then((isDone) => isDone && onClose())
  return (
    <Dialog
      open
      onClose={onClose}
      title={meant === 'others' ? 'Sign out all other browsers?' : `Sign out ${browserWords(meant)}?`}
      description={<WithCode>{meant !== 'others' && meant.is_this ? THIS : ANOTHER}</WithCode>}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="bad" busy={isBusy} onClick={shutOut}>
            Sign out
          </Button>
        </>
      }
    >
      {fault && <FaultNote fault={fault} />}
    </Dialog>
  )
}
