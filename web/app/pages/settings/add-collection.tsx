import { plural } from '../../../../src/kernel/domain/text.ts'
import { LongMutationBar } from '../../frame/long-mutation-bar.tsx'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { useDraft } from '../../kit/use-draft.ts'
import styles from './settings.module.css'

/** Adds a folder by its typed path. */
export const AddCollection = () => {
  const name = useDraft('collection.name', '')
  const path = useDraft('collection.path', '')
  const pattern = useDraft('collection.pattern', '**/*.md')
  const add = useLongMutation('collection_add')
  const isReady = name.text.trim() !== '' && path.text.trim() !== '' && pattern.text.trim() !== ''
  const { outcome } = add
  return (
    <form
      className={styles.part}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) add.start({ name: name.text.trim(), path: path.text.trim(), pattern: pattern.text.trim() })
      }}
    >
      <div className={styles.form}>
        <TextField
          label="Name"
          placeholder="handbook"
          value={name.text}
          onChange={({ target }) => name.set(target.value)}
        />
        <TextField
          label="Folder"
          placeholder="~/handbook"
          spellCheck={false}
          value={path.text}
          onChange={({ target }) => path.set(target.value)}
        />
        <TextField
          label="Files"
          spellCheck={false}
          value={pattern.text}
          onChange={({ target }) => pattern.set(target.value)}
        />
        <Button type="submit" icon="plus" busy={add.isBusy} disabled={!isReady}>
          Add
        </Button>
      </div>
      <LongMutationBar deed={add} label="Reading the folder" />
      {outcome && !add.isBusy && (
        <p role="status" className={styles.soft}>
          {outcome.busy
            ? 'Another process is updating the index and will include it.'
            : `${plural(outcome.added, 'document')} indexed from ${outcome.path}.`}
          {outcome.skipped.length > 0 &&
            ` ${plural(outcome.skipped.length, 'file')} skipped: ${outcome.skipped[0]!.reason}.`}
        </p>
      )}
    </form>
  )
}
