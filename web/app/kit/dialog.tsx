import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import overlay from './overlay.module.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons at the end, the primary one last. */
  readonly actions?: ReactNode
  readonly width?: 'narrow' | 'wide'
}

/** Traps the focus while open and restores it on close. */
export const Dialog = ({ open, onClose, title, description, children, actions, width = 'narrow' }: Props) => {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={open}
      onOpenChange={(isOpen, { event }) => {
        if (!isOpen && !isOfAnother(event, popup.current)) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={overlay.backdrop} />
        <Base.Popup ref={popup} className={classNames(styles.dialog, styles[width])}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label="Close" size="small" />} />
          </header>
          <div className={styles.body}>
            {description !== undefined && (
              <Base.Description render={<div />} className={styles.description}>
                {description}
              </Base.Description>
            )}
            {children}
          </div>
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Whether an event is from a dialog opened over this one; such events must not close this dialog. */
function isOfAnother({ target }: Event, own: HTMLElement | null): boolean {
  const dialog = target instanceof Element ? target.closest('[role=dialog]') : null
  return dialog !== null && dialog !== own
}
