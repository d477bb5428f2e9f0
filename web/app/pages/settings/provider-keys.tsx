import { useState } from 'react'
import { MODEL_PROVIDERS, usualKeys, type ModelProvider } from '../../../../src/kernel/domain/model-name.ts'
import { call } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

const WITH_KEY = MODEL_PROVIDERS.filter((one) => one !== 'ollama')

/** Keys of the model providers. They are write-only: only the location of each is shown. */
export const ProviderKeys = () => {
  const { data, error } = useAnswer('key_list', {})
  const [leaving, setLeaving] = useState<ModelProvider>()
  const keys = data?.keys ?? []
  return (
    <Part
      title="Keys"
      about="Stored in your system’s keychain or read from an environment variable, which takes precedence. A stored key is never shown again."
    >
      {error && <FaultNote fault={error} />}
      {data?.problem !== undefined && (
        <p className={styles.warn}>
          {data.problem} Set the key in an environment variable, such as <code>{usualKeys('anthropic')[0]}</code>.
        </p>
      )}
      {data && keys.length === 0 && data.problem === undefined && <p className={styles.soft}>No provider keys yet.</p>}
      {keys.length > 0 && (
        <ul className={styles.rows}>
          {keys.map((one) => (
            <li key={`${one.provider} ${one.source}`} className={styles.line}>
              <span className={styles.name}>{one.provider}</span>
              <span className={styles.soft}>
                {one.source === 'keychain' ? 'in the keychain' : `in ${one.variable ?? 'the environment'}`}
              </span>
              {one.source === 'keychain' && (
                <span className={styles.end}>
                  <Button size="small" look="bad" onClick={() => setLeaving(one.provider as ModelProvider)}>
                    Remove
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.problem === undefined && <AddKey />}
      {leaving !== undefined && <RemoveKey provider={leaving} onClose={() => setLeaving(undefined)} />}
    </Part>
  )
}

const AddKey = () => {
  const project = useProject()
  const [provider, setProvider] = useState<ModelProvider>('anthropic')
  // The only input that is not kept as a draft.
  const [key, setKey] = useState('')
  const { isBusy, fault, run } = useMutation()
  return (
    <form
      className={styles.part}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => call(project, 'key_set', { provider, key })).then((isDone) => {
          if (!isDone) return
          setKey((now) => (now === key ? '' : now))
          showToast({ text: `Saved the ${provider} key in the keychain.` })
        })
      }}
    >
      <div className={styles.form}>
        <Select
          label="Provider"
          value={provider}
          onChange={setProvider}
          options={WITH_KEY.map((value) => ({ value, label: value, ...aside(value) }))}
        />
        <TextField
          label="Key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
        <Button type="submit" icon="key" busy={isBusy} disabled={key.trim() === ''}>
          Save key
        </Button>
      </div>
      {fault && <FaultNote fault={fault} />}
    </form>
  )
}

const aside = (provider: ModelProvider): { aside?: string } => {
  const [usual] = usualKeys(provider)
  return usual === undefined ? {} : { aside: usual }
}

const RemoveKey = ({ provider, onClose }: { provider: ModelProvider; onClose: () => void }) => {
  const project = useProject()
  const { isBusy, fault, run } = useMutation()
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove the ${provider} key?`}
      description="This cannot be undone: only the keychain stores it."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="bad"
            busy={isBusy}
            onClick={() => void run(() => call(project, 'key_remove', { provider })).then((done) => done && onClose())}
          >
            Remove key
          </Button>
        </>
      }
    >
      {fault && <FaultNote fault={fault} />}
    </Dialog>
  )
}
