import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

type Told = Calls['privacy']['output']

/** Data that may leave the machine, and secrets redacted from every text, as in `ken privacy`. */
export const PrivacySection = () => {
  const { data, error, refetch } = useAnswer('privacy', {})
  if (error) return <FaultNote fault={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={8} />
  return (
    <>
      <Leaving told={data} />
      <Sources told={data} />
      <Part title="Redacted from all text" about="On input and output, before anything is stored, indexed or sent.">
        <ul className={styles.small}>
          {data.redacted.map(({ kind }) => (
            <li key={kind}>{kind}</li>
          ))}
        </ul>
      </Part>
      <Part
        title="Masked in compiled tables"
        about="Values in columns with personal data are masked in context files. ken.yaml can override single columns."
      >
        <p className={styles.small}>{data.masked.join(', ')}</p>
      </Part>
      <Log told={data} />
    </>
  )
}

const Leaving = ({ told: { recipients } }: { told: Told }) => {
  const away = recipients.filter(({ here }) => !here)
  return (
    <Part title="Outgoing data">
      {away.length === 0 ? (
        <p className={styles.marked}>
          <span className={styles.good}>
            <Icon name="lock" />
          </span>
          None. No model, embedder or reranker on another machine is configured, and Ken sends nothing else.
        </p>
      ) : (
        <p>Ken sends text to these configured services and nothing else.</p>
      )}
      {recipients.length > 0 && (
        <ul className={styles.rows}>
          {recipients.map((one) => (
            <li key={one.setting} className={styles.line}>
              <span className={styles.name}>{one.name}</span>
              <span className={styles.soft}>{one.what}</span>
              <span className={one.here ? styles.good : styles.warn}>
                {one.here ? 'on this machine' : (one.host ?? 'to that agent’s own service')}
              </span>
              <span className={styles.end}>
                <code className={styles.soft}>{one.setting}</code>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const Sources = ({ told: { sources } }: { told: Told }) => (
  <Part
    title="Project reach"
    about="Entries of ken.yaml that read data outside its folder. They are not opened until you allow them with `ken trust`."
  >
    {sources.length === 0 && <p>Nothing outside its folder.</p>}
    {sources.length > 0 && (
      <ul className={styles.rows}>
        {sources.map(({ key, reaches, allowed }) => (
          <li key={key}>
            <p className={styles.line}>
              <span className={styles.name}>{key}</span>
              <span className={allowed ? styles.good : styles.warn}>{allowed ? 'allowed by you' : 'not allowed'}</span>
            </p>
            {reaches.map((line) => (
              <p key={line} className={styles.mono}>
                {line}
              </p>
            ))}
          </li>
        ))}
      </ul>
    )}
  </Part>
)

const Log = ({ told: { log } }: { told: Told }) => {
  const project = useProject()
  const { fault, run } = useMutation()
  return (
    <Part title="Telemetry" about="None. A local log records which commands were used; you can read and delete it.">
      <Switch
        label="Keep the local log"
        hint={log.path}
        on={log.enabled}
        onChange={(on) => void run(() => call(project, on ? 'telemetry_enable' : 'telemetry_disable', {}))}
      />
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}
