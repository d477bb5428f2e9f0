import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Switch } from '../../kit/switch.tsx'
import { WithCode } from '../../kit/with-code.tsx'
import { settingText, shownSetting } from './setting-text.ts'
import type { SettingRow } from './use-setting.ts'
import styles from './setting-control.module.css'

interface Props {
  readonly setting: SettingRow
  readonly change: (name: string, value: string | undefined) => Promise<void>
  /** Display name; default: the setting's name. */
  readonly label?: string
}

/** One setting, edited in place: its value, its source, and a reset to the default. */
export const SettingControl = ({ setting, change, label }: Props) => {
  const [fault, setFault] = useState<string>()
  const isFixed = setting.source === 'environment'
  const set = async (value: string | undefined): Promise<boolean> => {
    try {
      setFault(undefined)
      await change(setting.name, value)
      return true
    } catch (thrown) {
      setFault(thrown instanceof Fault ? `${thrown.message} ${thrown.hint ?? ''}`.trim() : String(thrown))
      return false
    }
  }
  return (
    <div className={styles.setting}>
      <div className={styles.control}>
        {setting.kind === 'switch' ? (
          <Switch
            label={label ?? setting.name}
            on={setting.value === true}
            disabled={isFixed}
            onChange={(on) => void set(String(on))}
          />
        ) : (
          <ValueField {...{ setting, label, fault, isFixed, set }} />
        )}
        <p className={styles.source}>
          {SOURCES[setting.source]}
          {setting.source === 'environment' && (
            <>
              {' '}
              <code>{setting.environment}</code>
            </>
          )}
          {setting.source === 'config' && (
            <Button size="small" look="quiet" icon="undo" onClick={() => void set(undefined)}>
              {`Reset to ${shownSetting(setting.default)}`}
            </Button>
          )}
        </p>
      </div>
      <p className={styles.help}>
        <WithCode>{setting.help}</WithCode>
      </p>
      {setting.kind === 'switch' && fault !== undefined && <p className={styles.fault}>{fault}</p>}
    </div>
  )
}

const SOURCES = { default: 'by default', config: 'set by you', environment: 'set by the environment:' } as const

interface FieldProps {
  readonly setting: SettingRow
  readonly label: string | undefined
  readonly fault: string | undefined
  readonly isFixed: boolean
  readonly set: (value: string) => Promise<boolean>
}

const ValueField = ({ setting, label, fault, isFixed, set }: FieldProps) => {
  const saved = settingText(setting.value)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? saved
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (text === saved) return
        void set(text).then((isDone) => isDone && setTyped((now) => (now === text ? undefined : now)))
      }}
    >
      <TextField
        label={label ?? setting.name}
        value={text}
        disabled={isFixed}
        placeholder="nothing"
        error={fault}
        {...(setting.kind === 'number' && { inputMode: 'decimal' })}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(undefined)
        }}
      />
      {text !== saved && (
        <Button type="submit" look="primary">
          Save
        </Button>
      )}
    </form>
  )
}
