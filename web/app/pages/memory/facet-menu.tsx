import { Menu as Base } from '@base-ui/react/menu'
import { Button } from '../../kit/button.tsx'
import { classNames } from '../../kit/class-names.ts'
import { Icon } from '../../kit/icon.tsx'
import overlay from '../../kit/overlay.module.css'
import styles from './facets.module.css'

export interface FacetValue {
  readonly value: string
  readonly label: string
  /** Undefined if not counted. */
  readonly count?: number
}

interface Props {
  readonly label: string
  readonly values: readonly FacetValue[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  /** Whether choosing a value deselects the other. */
  readonly single?: boolean
}

/** Values of a facet, with the number of hits for each. */
export const FacetMenu = ({ label, values, chosen, onChange, single = false }: Props) => {
  const toggle = (value: string, isOn: boolean): void => {
    const others = single ? [] : chosen.filter((one) => one !== value)
    onChange(isOn ? [...others, value] : others)
  }
  return (
    <Base.Root>
      <Base.Trigger
        render={
          <Button size="small" look="quiet" className={classNames(chosen.length > 0 && styles.chosen)}>
            {saidBy(label, values, chosen)}
            <Icon name="chevron-down" size={12} />
          </Button>
        }
      />
      <Base.Portal>
        <Base.Positioner className={overlay.positioner} align="start" sideOffset={4} collisionPadding={8}>
          <Base.Popup className={classNames(overlay.popup, styles.popup)} aria-label={label}>
            {values.length === 0 && <p className={overlay.empty}>No options.</p>}
            {values.map(({ value, label: name, count }) => (
              <Base.CheckboxItem
                key={value}
                className={overlay.item}
                checked={chosen.includes(value)}
                onCheckedChange={(isOn) => toggle(value, isOn)}
                closeOnClick={single}
              >
                <span className={overlay.icon}>
                  <Base.CheckboxItemIndicator>
                    <Icon name="check" />
                  </Base.CheckboxItemIndicator>
                </span>
                <span className={overlay.label}>{name}</span>
                {count !== undefined && <span className={overlay.aside}>{count.toLocaleString('en')}</span>}
              </Base.CheckboxItem>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function saidBy(label: string, values: readonly FacetValue[], chosen: readonly string[]): string {
  const [first, ...more] = chosen
  if (first === undefined) return label
  const name = values.find(({ value }) => value === first)?.label ?? first
  return more.length === 0 ? name : `${name} and ${more.length} more`
}
