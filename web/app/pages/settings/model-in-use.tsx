import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { WithCode } from '../../kit/with-code.tsx'
import { Part } from './part.tsx'
import { SettingControl } from './setting-control.tsx'
import { useSettings } from './use-setting.ts'
import styles from './settings.module.css'

/** The answering model, its alternatives, and whether it responds. */
export const ModelInUse = () => {
  const { settings, error, find, change } = useSettings()
  const name = find('model.name')
  const test = useLongMutation('models_test')
  const [isOpen, setOpen] = useState(false)
  const others = (settings ?? []).filter((one) => /^model\.(?!name$)/.test(one.name))
  return (
    <Part
      title="Answering model"
      about="A provider’s model, a local Ollama model or an installed coding agent. Without one, Ken answers with sources from the index."
    >
      {error && <FaultNote fault={error} />}
      {!error && name === undefined && <Skeleton rows={3} />}
      {name && <SettingControl setting={name} change={change} label="Model" />}
      <Answerers now={String(name?.value ?? '')} onChoose={(value) => void change('model.name', value)} />
      <div className={styles.line}>
        <Button icon="play" busy={test.isBusy} onClick={() => test.start({})}>
          {test.isBusy ? 'Testing each model' : 'Test connection'}
        </Button>
        {test.isBusy && (
          <Button look="quiet" onClick={test.stop}>
            Stop
          </Button>
        )}
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide address, prices and limits' : 'Address, prices and limits'}
        </Button>
      </div>
      {test.fault && <FaultNote fault={test.fault} />}
      {test.outcome && <Checks checks={test.outcome.checks} />}
      {isOpen && (
        <ul className={styles.rows}>
          {others.map((one) => (
            <li key={one.name}>
              <SettingControl setting={one} change={change} />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const Answerers = ({ now, onChoose }: { now: string; onChoose: (name: string) => void }) => {
  const { data } = useAnswer('answerers', {})
  const others = (data?.answerers ?? []).filter((one) => one.name !== now && one.problem === undefined)
  if (others.length === 0) return null
  return (
    <div className={styles.line}>
      <span className={styles.soft}>Also available:</span>
      {others.slice(0, SHOWN).map((one) => (
        <Button key={one.name} size="small" onClick={() => onChoose(one.name)}>
          {one.name}
        </Button>
      ))}
      {others.length > SHOWN && <span className={styles.soft}>and {others.length - SHOWN} more, by name</span>}
    </div>
  )
}

const SHOWN = 8

const Checks = ({ checks }: { checks: Calls['models_test']['output']['checks'] }) => (
  <ul className={styles.rows} aria-label="Test results">
    {checks.map((one) => (
      <li key={one.name} className={styles.line}>
        <span className={one.ok ? styles.good : styles.bad}>
          <Icon name={one.ok ? 'check' : 'bad'} />
        </span>
        <span className={styles.grow}>
          <span className={styles.name}>{one.name}</span>{' '}
          <span className={styles.soft}>
            {one.ok ? one.found : one.problem}
            {one.hint !== undefined && (
              <>
                {' '}
                <WithCode>{one.hint}</WithCode>
              </>
            )}
          </span>
        </span>
        <span className={styles.soft}>{one.milliseconds} ms</span>
      </li>
    ))}
  </ul>
)
