import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { CodeEditor } from '../../../kit/data/code-editor.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextArea } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import { editableText, isYaml, withText, type ShownDraft } from './draft-words.ts'
import styles from './draft-editor.module.css'

/** Edits the text that a draft would write. Typed text is kept here until it is saved. */
export const DraftEditor = ({ shown, onDone }: { shown: ShownDraft; onDone: () => void }) => {
  const { text, set, clear } = useDraft(`inbox.${shown.id}`, editableText(shown))
  const edit = useAct('inbox_edit')
  const leave = (): void => {
    clear()
    onDone()
  }
  const save = async (): Promise<void> => {
    await edit.mutateAsync({ draft: shown.id, text: withText(shown, text) })
    showToast({ text: 'Draft saved.' })
    leave()
  }
  const trySave = (): void => void save().catch(() => undefined)
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        trySave()
      }}
    >
      {isYaml(shown.kind) ? (
        <CodeEditor
          label={`The ${shown.kind}`}
          language="yaml"
          value={text}
          onChange={set}
          onSave={trySave}
          takesFocus
        />
      ) : (
        <TextArea
          label={shown.kind === 'rule' ? 'The rule' : 'The fact'}
          value={text}
          autoFocus
          onChange={(event) => set(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) trySave()
            if (event.key === 'Escape') leave()
          }}
        />
      )}
      {edit.error !== null && <FaultNote fault={edit.error} />}
      <div className={styles.ways}>
        <Button type="submit" look="primary" busy={edit.isPending}>
          Save
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </div>
    </form>
  )
}
