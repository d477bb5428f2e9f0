import { Combobox as Base } from '@base-ui/react/combobox'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { popups } from './popups.ts'
import styles from './combobox.module.css'
import field from './field.module.css'
import overlay from './overlay.module.css'

export interface ComboboxOption {
  readonly value: string
  readonly label: string
  readonly aside?: string
}

interface Props {
  readonly label: string
  readonly hideLabel?: boolean
  readonly placeholder?: string
  readonly value: ComboboxOption | null
  readonly options: readonly ComboboxOption[]
  readonly onChange: (chosen: ComboboxOption | null) => void
  /** With it, options are results for the words; without it they are filtered here. */
  readonly onSearch?: (words: string) => void
  readonly nothing?: string
}

/** Selects one of many by typing. */
export const Combobox = ({ label, hideLabel, placeholder, value, options, onChange, onSearch, nothing }: Props) => {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : field.label}>
        {label}
      </label>
      <Base.Root
        items={options}
        value={value}
        onValueChange={onChange}
        isItemEqualToValue={(one: ComboboxOption, other: ComboboxOption) => one.value === other.value}
        autoHighlight
        {...(onSearch && { filter: null, onInputValueChange: onSearch })}
      >
        <div className={styles.group}>
          <Base.Input id={id} placeholder={placeholder} className={classNames(field.input, styles.input)} />
          <Base.Trigger className={styles.trigger} aria-label={`Show options for ${label}`}>
            <Icon name="chevrons-up-down" size={14} />
          </Base.Trigger>
        </div>
        <Base.Portal container={popups}>
          <Base.Positioner className={overlay.positioner} sideOffset={4}>
            <Base.Popup className={overlay.popup}>
              <Base.Empty className={overlay.empty}>{nothing ?? 'No match.'}</Base.Empty>
              <Base.List>{(option: ComboboxOption) => <Option key={option.value} option={option} />}</Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </div>
  )
}

const Option = ({ option }: { option: ComboboxOption }) => (
  <Base.Item value={option} className={overlay.item}>
    <span className={overlay.icon}>
      <Base.ItemIndicator>
        <Icon name="check" />
      </Base.ItemIndicator>
    </span>
    <span className={overlay.label}>{option.label}</span>
    {option.aside && <span className={overlay.aside}>{option.aside}</span>}
  </Base.Item>
)
