import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
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
  /** Buttons at its end, the one that acts last. */
  readonly actions?: ReactNode
  readonly width?: 'narrow' | 'wide'
}

/** It keeps the focus while it is open and gives it back to where it was. */
export const Dialog = ({ open, onClose, title, description, children, actions, width = 'narrow' }: Props) => (
  <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Backdrop className={overlay.backdrop} />
      <Base.Popup className={classNames(styles.dialog, styles[width])}>
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
