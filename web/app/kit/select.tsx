import { Select as Base } from '@base-ui/react/select'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { popups } from './popups.ts'
import field from './field.module.css'
import overlay from './overlay.module.css'
import styles from './select.module.css'

interface Props<V extends string> {
  readonly label: string
  readonly hideLabel?: boolean
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string; readonly aside?: string }[]
  readonly onChange: (value: V) => void
  readonly disabled?: boolean
}

/** Selects one of a few. For many, use `Combobox`. */
export const Select = <V extends string>({
  label,
  hideLabel,
  value,
  options,
  onChange,
  disabled = false,
}: Props<V>) => (
  <div className={field.field}>
    <Base.Root
      items={options as { value: V; label: string }[]}
      value={value}
      disabled={disabled}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
    >
      <Base.Label className={hideLabel ? 'visually-hidden' : field.label}>{label}</Base.Label>
      {/* `Base.Label` names the trigger only in an effect, so it needs a name for the first frame. */}
      <Base.Trigger className={classNames(field.input, styles.trigger)} aria-label={label}>
        <Base.Value className={styles.value} />
        <Icon name="chevrons-up-down" size={14} />
      </Base.Trigger>
      <Base.Portal container={popups}>
        <Base.Positioner className={overlay.positioner} alignItemWithTrigger={false} sideOffset={4}>
          <Base.Popup className={overlay.popup}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={overlay.item}>
                  <span className={overlay.icon}>
                    <Base.ItemIndicator>
                      <Icon name="check" />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText className={overlay.label}>{option.label}</Base.ItemText>
                  {option.aside && <span className={overlay.aside}>{option.aside}</span>}
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  </div>
)
