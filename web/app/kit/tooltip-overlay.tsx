import { Tooltip as Base } from '@base-ui/react/tooltip'
import { Keys } from './keys.tsx'
import { useEarlyFocus, type Early } from './late-overlay.tsx'
import { popups } from './popups.ts'
import type { TooltipProps } from './tooltip.tsx'
import overlay from './overlay.module.css'
import styles from './tooltip.module.css'

/** Loaded after the first paint: `Tooltip` shows the element alone until then. */
export const TooltipOverlay = ({
  text,
  keys,
  side = 'bottom',
  children,
  early,
}: TooltipProps & { readonly early: Early }) => (
  <Base.Root>
    <Base.Trigger ref={useEarlyFocus(early)} delay={400} render={children} />
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
