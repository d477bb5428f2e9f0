import { useState } from 'react'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextField } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import type { Statement } from './use-run-sql.ts'

/** Saves the statement under the question it answers, as a proven query for agents. */
export const SaveExample = ({ statement }: { statement: Statement }) => {
  const [isOpen, setOpen] = useState(false)
  const { text: question, set: setQuestion, clear } = useDraft(`save-statement.${statement.sql}`, '')
  const save = useAct('run_sql')
  const submit = (): void =>
    save.mutate(
      { ...statement, save: question.trim(), limit: 1 },
      {
        onSuccess({ saved }) {
          showToast({ text: `Saved as ${saved}. Agents are given it for questions like this.` })
          clear()
          setOpen(false)
        },
      },
    )
  return (
    <>
      <Button size="small" icon="star" onClick={() => setOpen(true)}>
        Save
      </Button>
      <Dialog
        open={isOpen}
        title="Save this statement"
        onClose={() => setOpen(false)}
        actions={
          <Button look="primary" busy={save.isPending} disabled={question.trim().length < 3} onClick={submit}>
            Save
          </Button>
        }
      >
        <TextField
          label="The question it answers"
          hint="It is kept in queries/, and agents are given it for questions like this."
          value={question}
          autoFocus
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && question.trim().length >= 3 && submit()}
        />
        {save.error !== null && <FaultNote fault={save.error} />}
      </Dialog>
    </>
  )
}
