import type { Calls } from '../../../api/call.ts'
import { useAct, useAnswer } from '../../../api/queries.ts'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { Button } from '../../../kit/button.tsx'
import { CodeEditor } from '../../../kit/data/code-editor.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'
import { NoteConflict } from './note-conflict.tsx'
import styles from './notes.module.css'

/** Editor for a notes file. Saves only if the file was not changed meanwhile. */
export const NoteEditor = ({ name }: { name: string }) => {
  const { data, error, isPending, refetch } = useAnswer('note_show', { name })
  if (isPending) return <Skeleton rows={8} />
  if (data === undefined) return <FaultNote fault={error} again={() => void refetch()} />
  return <OpenNote name={name} data={data} onStale={() => void refetch()} />
}

interface Props {
  readonly name: string
  readonly data: Calls['note_show']['output']
  /** Called when saving failed, perhaps because the file has changed. */
  readonly onStale: () => void
}

const OpenNote = ({ name, data, onStale }: Props) => {
  const draft = useDraft(`note.${name}`, data.text, data.hash)
  const save = useAct('note_save')
  const { text, isChanged } = draft
  const isConflict = isChanged && !save.isPending && draft.base !== data.hash

  const store = async (): Promise<void> => {
    const before = data.text
    const saved = await save.mutateAsync({ name, text, hash: data.hash })
    draft.sent(text, saved.hash)
    showToast({
      text: saved.redacted > 0 ? `Saved ${name}; ${saved.redacted} secrets redacted` : `Saved ${name}`,
      ...(before.trim() !== '' && {
        undo: () => save.mutateAsync({ name, text: before, hash: saved.hash }).then(() => undefined),
      }),
    })
  }
  const submit = (): void => {
    if (isChanged && !isConflict) void store().catch(onStale)
  }
  useKeys([{ keys: 'mod+s', does: 'Save', group: 'Notes', run: submit }])
  return (
    <section className={styles.editor} aria-label={name}>
      <div className={styles.bar}>
        <h2 className={styles.name}>{name}</h2>
        <span className={styles.state} role="status">
          {isChanged ? 'Unsaved changes, kept on this machine.' : data.hash === '' ? 'Not created yet.' : 'Saved.'}
          {data.secrets > 0 && ` ${data.secrets} secrets are hidden; saving redacts them.`}
        </span>
        {isChanged && (
          <Button size="small" look="quiet" onClick={draft.clear}>
            Discard changes
          </Button>
        )}
        <Button size="small" look="primary" busy={save.isPending} disabled={!isChanged || isConflict} onClick={submit}>
          Save
        </Button>
      </div>
      {save.error !== null && !isConflict && <FaultNote fault={save.error} />}
      {isConflict && (
        <NoteConflict
          mine={text}
          theirs={data.text}
          onTake={(wanted) => draft.set(wanted, data.hash)}
          onGiveUp={draft.clear}
        />
      )}
      <div className={styles.text}>
        <CodeEditor
          label={`Text of ${name}`}
          language="markdown"
          value={text}
          onChange={draft.set}
          onSave={submit}
          isFilling
        />
      </div>
    </section>
  )
}
