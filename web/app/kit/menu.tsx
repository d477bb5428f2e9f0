import { Menu as Base } from '@base-ui/react/menu'
import { useRef, type ReactElement } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Keys } from './keys.tsx'
import { popups } from './popups.ts'
import overlay from './overlay.module.css'

export type MenuEntry = MenuAction | MenuChoice | 'line'

export interface MenuAction {
  readonly label: string
  readonly onSelect: () => void
  readonly icon?: IconName
  /** Keyboard shortcut. */
  readonly keys?: string
  readonly tone?: 'plain' | 'bad'
  readonly disabled?: boolean
}

/** Radio items, one of which is selected. */
export interface MenuChoice {
  readonly choose: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly aside?: string }[]
  readonly onChoose: (value: string) => void
}

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
  readonly side?: 'bottom' | 'top' | 'right'
  /** The element that is focused after a choice; without it, the button is. */
  readonly focusAfter?: () => HTMLElement | null
}

export function Menu({ trigger, entries, align = 'start', side = 'bottom', focusAfter }: Props) {
  const isChosen = useRef(false)
  return (
    <Base.Root onOpenChange={(isOpen) => isOpen && (isChosen.current = false)}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={popups}>
        <Base.Positioner className={overlay.positioner} side={side} align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup
            className={overlay.popup}
            onClick={() => (isChosen.current = true)}
            finalFocus={() => (isChosen.current ? focusAfter?.() : undefined) ?? true}
          >
            {entries.map((entry, at) => (
              <Entry key={at} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const Entry = ({ entry }: { entry: MenuEntry }) => {
  if (entry === 'line') return <Base.Separator className={overlay.separator} />
  return 'choose' in entry ? <Choice choice={entry} /> : <Action action={entry} />
}

const Action = ({ action: { label, onSelect, icon, keys, tone, disabled = false } }: { action: MenuAction }) => (
  <Base.Item
    className={classNames(overlay.item, tone === 'bad' && overlay.bad)}
    disabled={disabled}
    label={label}
    onClick={onSelect}
  >
    {icon && (
      <span className={overlay.icon}>
        <Icon name={icon} />
      </span>
    )}
    <span className={overlay.label}>{label}</span>
    {keys && <Keys of={keys} />}
  </Base.Item>
)

const Choice = ({ choice }: { choice: MenuChoice }) => (
  <Base.Group>
    <Base.GroupLabel className={overlay.group}>{choice.choose}</Base.GroupLabel>
    <Base.RadioGroup value={choice.value} onValueChange={(value) => choice.onChoose(String(value))}>
      {choice.options.map(({ value, label, aside }) => (
        <Base.RadioItem key={value} value={value} className={overlay.item} label={label} closeOnClick>
          <span className={overlay.icon}>
            <Base.RadioItemIndicator>
              <Icon name="check" />
            </Base.RadioItemIndicator>
          </span>
          <span className={overlay.label}>{label}</span>
          {aside && <span className={overlay.aside}>{aside}</span>}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  </Base.Group>
)
