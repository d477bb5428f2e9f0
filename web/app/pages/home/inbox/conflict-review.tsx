import { unifiedDiff } from '../../../../../src/kernel/domain/text/unified-diff.ts'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { CodeEditor } from '../../../kit/data/code-editor.tsx'
import { TextDiff } from '../../../kit/data/text-diff.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Keys } from '../../../kit/keys.tsx'
import { useDraft } from '../../../kit/use-draft.ts'
import { useUndoToast } from '../../decisions/use-undo-toast.ts'
import type { Conflict } from './review-items.ts'
import styles from './conflict-review.module.css'
import actions from './draft-actions.module.css'
import pane from './draft-pane.module.css'

interface Props {
  readonly conflict: Conflict
  readonly onSettled: () => void
  readonly onUndone: () => void
  readonly isEditing: boolean
  readonly setEditing: (isEditing: boolean) => void
}

/** Both texts of a file that two machines changed: choose one, or merge them by hand. */
export const ConflictReview = ({ conflict, onSettled, onUndone, isEditing, setEditing }: Props) => {
  const { question, path, standing, other, hash } = conflict
  const draft = useDraft(`conflict.${hash}.${question}`, standing)
  const resolve = useAct('resolve_conflict')
  const report = useUndoToast()
  const settle = async (how: { keep: 'standing' | 'other' } | { text: string }): Promise<void> => {
    const done = await resolve.mutateAsync({ question, expects: hash, ...how }).catch(() => undefined)
    if (done === undefined) return
    draft.clear()
    onSettled()
    await report(`Resolved ${question}.`, onUndone)
  }
  const save = (): void => void settle({ text: draft.text })
  return (
    <article className={`${pane.pane} ${styles.pane}`} aria-label={path}>
      <header className={pane.head}>
        <p className={pane.kind}>{question}, a conflict</p>
        <h2 className={pane.title}>{path}</h2>
        <p className={pane.why}>Two machines changed it in ways that cannot be joined.</p>
      </header>
      <div className={actions.actions}>
        {isEditing ? (
          <>
            <Button look="primary" icon="check" busy={resolve.isPending} onClick={save}>
              Save merged text <Keys of="mod+s" />
            </Button>
            <Button onClick={() => setEditing(false)}>Cancel</Button>
          </>
        ) : (
          <>
            <Button busy={resolve.isPending} onClick={() => void settle({ keep: 'standing' })}>
              Keep the current text
            </Button>
            <Button busy={resolve.isPending} onClick={() => void settle({ keep: 'other' })}>
              Use the other text
            </Button>
            <Button icon="edit" onClick={() => setEditing(true)}>
              Merge by hand <Keys of="e" />
            </Button>
          </>
        )}
      </div>
      {resolve.error !== null && <FaultNote fault={resolve.error} />}
      {isEditing && (
        <CodeEditor
          label={`Merged text of ${path}`}
          language="markdown"
          value={draft.text}
          onChange={draft.set}
          onSave={save}
          takesFocus
        />
      )}
      <TextDiff
        label={`Both texts of ${path}`}
        diff={unifiedDiff(standing, other, NAMES)}
        names={NAMES}
        isSideBySideAtFirst
      />
    </article>
  )
}

const NAMES = { before: 'Current text', after: 'Other text' } as const
