import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

type Collection = Calls['collection_list']['output']['collections'][number]

export const CollectionRow = ({ collection }: { collection: Collection }) => {
  const project = useProject()
  const { isBusy, fault, run, refresh } = useMutation()
  const [name, setName] = useState<string>()
  const remove = (): void =>
    void run(async () => {
      await call(project, 'collection_remove', { name: collection.name })
      const { documents: _documents, origin, ...rest } = collection
      showToast({
        text: `Removed ${collection.name} from the index.`,
        undo: () =>
          call(project, 'collection_add', { ...rest, origin: origin === 'context' ? 'context' : 'document' }).finally(
            refresh,
          ),
      })
    })
  const rename = (to: string): void =>
    void run(async () => {
      await call(project, 'collection_rename', { name: collection.name, new_name: to })
      showToast({
        text: `Renamed ${collection.name} to ${to}.`,
        undo: () => call(project, 'collection_rename', { name: to, new_name: collection.name }).finally(refresh),
      })
    }).then((isDone) => isDone && setName(undefined))
  return (
    <div className={styles.part}>
      {name === undefined ? (
        <div className={styles.line}>
          <span className={styles.name}>{collection.name}</span>
          <span className={styles.grow}>
            <span className={styles.mono}>
              {collection.path} {collection.pattern}
            </span>
          </span>
          <span className={styles.soft}>
            {collection.documents} {collection.documents === 1 ? 'document' : 'documents'}
          </span>
          <span className={styles.end}>
            <IconButton
              icon="edit"
              label={`Rename ${collection.name}`}
              size="small"
              onClick={() => setName(collection.name)}
            />
            <Button size="small" busy={isBusy} onClick={remove}>
              Remove
            </Button>
          </span>
        </div>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '' && name.trim() !== collection.name) rename(name.trim())
            else setName(undefined)
          }}
        >
          <TextField
            autoFocus
            label="Name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={({ key }) => key === 'Escape' && setName(undefined)}
          />
          <Button type="submit" busy={isBusy}>
            Rename
          </Button>
        </form>
      )}
      {fault && <FaultNote fault={fault} />}
    </div>
  )
}
