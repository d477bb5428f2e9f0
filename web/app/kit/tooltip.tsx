import { lazy, type ReactElement } from 'react'
import { LateOverlay } from './late-overlay.tsx'

export interface TooltipProps {
  /** Name of the element; also its accessible name. */
  readonly text: string
  readonly keys?: string | undefined
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly children: ReactElement
}

const Overlay = lazy(() => import('./tooltip-overlay.tsx').then((file) => ({ default: file.TooltipOverlay })))

/** The name of an element, and its shortcut, shown on hover or focus. */
export const Tooltip = (props: TooltipProps) => (
  <LateOverlay trigger={props.children}>{(early) => <Overlay {...props} early={early} />}</LateOverlay>
)
