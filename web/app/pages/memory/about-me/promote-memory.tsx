import { useState } from 'react'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextArea } from '../../../kit/field.tsx'
import { Select } from '../../../kit/select.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import type { Memory } from './memory-item.tsx'

type To = 'rules' | 'decision'

/** Promotes a personal memory to everybody who works on the project. */
export const PromoteMemory = ({ memory, onClose }: { memory: Memory; onClose: () => void }) => {
  const [to, setTo] = useState<To>('rules')
  const { text: why, set: setWhy, clear } = useDraft(`promote.${memory.id}`, '')
  const promote = useAct('memories_promote')
  const go = (): void =>
    promote.mutate(
      { memory: memory.id, to, yes: true, ...(to === 'decision' && why.trim() !== '' && { rationale: why }) },
      {
        onSuccess: ({ where }) => {
          clear()
          onClose()
          showToast({ text: `Written into ${where}` })
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Promote to the project"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={promote.isPending} onClick={go}>
            Promote
          </Button>
        </>
      }
    >
      <p>“{memory.content}”</p>
      <Select<To>
        label="Destination"
        value={to}
        options={[
          { value: 'rules', label: 'A rule of RULES.md' },
          { value: 'decision', label: 'A decision of the record' },
        ]}
        onChange={setTo}
      />
      {to === 'decision' && (
        <TextArea
          label="Why"
          hint="Optional; your own words are used otherwise."
          value={why}
          onChange={(event) => setWhy(event.target.value)}
        />
      )}
      {memory.scope === 'project' && <p>This memory is only for this project, so it is forgotten after promotion.</p>}
      {promote.error !== null && <FaultNote fault={promote.error} />}
    </Dialog>
  )
}
