import { useContext, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { BackSlot } from './back-slot.ts'
import { IconButton } from './button.tsx'
import { ResizeHandle } from './resize-handle.tsx'
import { useKeptSize } from './use-kept-size.ts'
import styles from './split.module.css'

interface Props {
  /** Under which name its width is remembered. */
  readonly name: string
  readonly list: ReactNode
  readonly listLabel: string
  /** What is open; nothing where nothing is, and `empty` stands there instead. */
  readonly detail: ReactNode
  readonly empty?: ReactNode
  /** Where there is room for one pane, back to the list. */
  readonly onBack: () => void
}

/** A list and what is open of it. The line between them can be moved; where it is narrow, one of them is shown. */
export const Split = ({ name, list, listLabel, detail, empty, onBack }: Props) => {
  const [size, setSize] = useKeptSize(`split.${name}`, LIST)
  const slot = useContext(BackSlot)
  const isOpen = detail !== undefined && detail !== null && detail !== false
  const back = <IconButton icon="arrow-left" label={`Back to ${listLabel}`} onClick={onBack} />
  return (
    <div className={styles.around}>
      <div className={styles.split} data-showing={isOpen ? 'detail' : 'list'} style={{ '--list': `${size}px` }}>
        <section className={styles.list} aria-label={listLabel}>
          {list}
        </section>
        <ResizeHandle label={`Width of ${listLabel}`} size={size} bounds={LIST} onResize={setSize} grows="right" />
        <div className={styles.detail}>{isOpen ? detail : empty}</div>
      </div>
      {isOpen && slot && createPortal(back, slot)}
    </div>
  )
}

const LIST = { usual: 340, least: 220, most: 640 }
