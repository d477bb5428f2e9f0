import { Menu as Base } from '@base-ui/react/menu'
import { useRef } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Keys } from './keys.tsx'
import { useEarlyFocus, type Early } from './late-overlay.tsx'
import type { MenuAction, MenuChoice, MenuEntry, MenuProps } from './menu.tsx'
import { popups } from './popups.ts'
import overlay from './overlay.module.css'

/** Loaded after the first paint: `Menu` shows the button until then. */
export function MenuOverlay(props: MenuProps & { readonly early: Early }) {
  const { trigger, entries, align = 'start', side = 'bottom', focusAfter, early } = props
  const isChosen = useRef(false)
  return (
    <Base.Root defaultOpen={early.isClicked} onOpenChange={(isOpen) => isOpen && (isChosen.current = false)}>
      <Base.Trigger ref={useEarlyFocus(early)} render={trigger} />
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
