import { useState } from 'react'
import type { Calls } from '../../../api/call.ts'
import { useAct, useAnswer } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Combobox } from '../../../kit/combobox.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { CheckLine } from './check-line.tsx'
import { FoundSources } from './found-sources.tsx'
import { SourceForm } from './source-form.tsx'
import styles from './add-source.module.css'

type Added = Calls['source_add']['output']['added'][number]

interface Props {
  /** The selected kind; empty before a selection. */
  readonly kind: string
  readonly onKind: (kind: string) => void
  readonly onClose: () => void
}

/** Sources found here that can be added with one click, and a form for any kind of source. */
export const AddSource = ({ kind, onKind, onClose }: Props) => {
  const { data, error } = useAnswer('source_kinds', {})
  const add = useAct('source_add')
  const [added, setAdded] = useState<Added>()
  const send = (input: Calls['source_add']['input']): void =>
    add.mutate(input, {
      onSuccess: ({ added: all }) => {
        const [one] = all
        if (one !== undefined && one.check?.ok !== false && one.unset.length === 0 && one.trusted) {
          showToast({ text: one.already ? `${one.name} already exists.` : `Added ${one.name}. Sync to compile it.` })
          onClose()
        } else setAdded(one)
      },
    })
  const options = (data?.kinds ?? []).map(({ word, label, kind: of }) => ({ value: word, label, aside: of }))
  const chosen = data?.kinds.find(({ word }) => word === kind)
  return (
    <Dialog open width="wide" onClose={onClose} title="Add a source">
      <div className={styles.body}>
        {error && <FaultNote fault={error} />}
        {kind === '' && (
          <FoundSources
            isBusy={add.isPending}
            onAdd={(what, name) => send({ what, ...(name !== undefined && { name }) })}
          />
        )}
        {data === undefined ? (
          <Skeleton rows={2} />
        ) : (
          <Combobox
            label="Kind"
            placeholder="DuckDB, Postgres, dbt, documents …"
            value={options.find(({ value }) => value === kind) ?? null}
            options={options}
            onChange={(one) => onKind(one?.value ?? '')}
          />
        )}
        {chosen !== undefined && (
          <SourceForm
            key={chosen.word}
            kind={chosen}
            isBusy={add.isPending}
            onSend={(what) => send({ what: [...what] })}
          />
        )}
        {add.error && <FaultNote fault={add.error} />}
        {added !== undefined && <Outcome added={added} onClose={onClose} />}
      </div>
    </Dialog>
  )
}

const Outcome = ({ added, onClose }: { added: Added; onClose: () => void }) => (
  <div className={styles.outcome} role="status">
    <p>{added.name} added to ken.yaml.</p>
    {added.check !== undefined && <CheckLine check={added.check} />}
    {added.unset.length > 0 && <p>Set {added.unset.join(', ')} in the environment or in .env beside ken.yaml.</p>}
    {!added.trusted && <p>Reads data outside this folder. Review and trust it first.</p>}
    <Button onClick={onClose}>Done</Button>
  </div>
)
