import { lazy, type ReactElement } from 'react'
import type { IconName } from './icon.tsx'
import { LateOverlay } from './late-overlay.tsx'

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

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
  readonly side?: 'bottom' | 'top' | 'right'
  /** The element that is focused after a choice; without it, the button is. */
  readonly focusAfter?: () => HTMLElement | null
}

const Overlay = lazy(() => import('./menu-overlay.tsx').then((file) => ({ default: file.MenuOverlay })))

export function Menu(props: MenuProps) {
  return (
    <LateOverlay trigger={props.trigger} popup="menu">
      {(early) => <Overlay {...props} early={early} />}
    </LateOverlay>
  )
}
