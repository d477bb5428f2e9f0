import { useNavigate } from '@tanstack/react-router'
import { sha256 } from '../../../../src/kernel/domain/sha256.ts'
import { unifiedDiff } from '../../../../src/kernel/domain/text/unified-diff.ts'
import { decisionReferred } from '../../../../src/record/domain/decision/decision-id.ts'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAct, useAnswer, useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { Button } from '../../kit/button.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextArea } from '../../kit/field.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { useDraft } from '../../kit/use-draft.ts'
import { decisionsRoute, editRoute } from './routes.ts'
import type { OpenDecision } from './use-decision.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './edit-page.module.css'

/** Edits the text of a decision; a decision that no longer applies is superseded instead. */
export const EditPage = () => {
  const { id } = editRoute.useParams()
  const number = decisionReferred(id)
  const { data, error } = useAnswer(
    'get_decision',
    { number: number ?? 0, parts: true },
    { enabled: number !== undefined },
  )
  if (number === undefined) return <p className={styles.page}>“{id}” is not a decision.</p>
  if (error !== null) return <FaultNote fault={error} />
  if (data === undefined) return <Skeleton rows={8} label="Loading the text" />
  return <Editor key={number} decision={data} />
}

const Editor = ({ decision: { number, title, content, parts } }: { decision: OpenDecision }) => {
  const project = useProject()
  const navigate = useNavigate()
  const search = decisionsRoute.useSearch()
  const draft = useDraft(`${project}.edit.${number}`, content, parts?.hash)
  const edit = useAct('edit')
  const say = useUndoToast()
  usePageTitle(`Edit ${label(number)} ${title}`)
  const back = (): void =>
    void navigate({ to: '/$project/decisions/$id', params: { project, id: String(number) }, search })
  const isOvertaken = draft.isChanged && !edit.isPending && draft.base !== parts?.hash
  const save = (): void => {
    if (edit.isPending || isOvertaken) return
    edit.mutate(
      { decision: String(number), text: draft.text, ...(draft.base !== undefined && { expects: draft.base }) },
      {
        onSuccess: ({ changed }) => {
          if (!draft.sent(draft.text, sha256(draft.text))) back()
          if (changed) void say(`Edited ${label(number)}.`)
        },
      },
    )
  }
  useKeys([
    { keys: 'mod+enter', does: 'Save', group: 'Edit', run: save },
    { keys: 'escape', does: 'Back, keeping the draft', group: 'Edit', run: back },
  ])
  const diff = unifiedDiff(content, draft.text, { before: 'before', after: 'after' })
  return (
    <div className={styles.page}>
      <h2 className={styles.title}>Edit {label(number)}</h2>
      <p className={styles.note}>
        For typos or a clearer reason. If the decision itself changed, supersede it instead.
      </p>
      <TextArea
        label="Text"
        autoFocus
        className={styles.text}
        rows={24}
        spellCheck={false}
        value={draft.text}
        onChange={(event) => draft.set(event.target.value)}
      />
      {isOvertaken && (
        <div role="alert">
          <p className={styles.note}>
            {label(number)} changed since you started. Compare your text with the new one below.
          </p>
          <Button size="small" onClick={() => draft.set(draft.text, parts?.hash)}>
            Keep mine
          </Button>
        </div>
      )}
      {edit.error !== null && !isOvertaken && <FaultNote fault={edit.error} />}
      <div className={styles.ends}>
        <Button look="primary" busy={edit.isPending} disabled={diff === '' || isOvertaken} onClick={save}>
          Save
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            draft.clear()
            back()
          }}
        >
          Discard
        </Button>
      </div>
      {diff !== '' && <TextDiff diff={diff} label="Changes" />}
    </div>
  )
}
