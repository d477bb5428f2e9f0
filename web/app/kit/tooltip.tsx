import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Keys } from './keys.tsx'
import { popups } from './popups.ts'
import overlay from './overlay.module.css'
import styles from './tooltip.module.css'

interface Props {
  /** Name of the element; also its accessible name. */
  readonly text: string
  readonly keys?: string | undefined
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly children: ReactElement
}

/** The name of an element, and its shortcut, shown on hover or focus. */
export const Tooltip = ({ text, keys, side = 'bottom', children }: Props) => (
  <Base.Root>
    <Base.Trigger delay={400} render={children} />
    <Base.Portal container={popups}>
      <Base.Positioner className={overlay.positioner} side={side} sideOffset={6}>
        <Base.Popup className={styles.tooltip}>
          {text}
          {keys !== undefined && <Keys of={keys} />}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
