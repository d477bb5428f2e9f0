import { useContext, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { BackSlot } from './back-slot.ts'
import { IconButton } from './button.tsx'
import { ResizeHandle } from './resize-handle.tsx'
import { useKeptSize } from './use-kept-size.ts'
import styles from './split.module.css'

interface Props {
  /** Key for the stored width. */
  readonly name: string
  readonly list: ReactNode
  readonly listLabel: string
  /** The open item; if there is none, `empty` is shown, and if there is no `empty`, the list has the whole width. */
  readonly detail: ReactNode
  readonly empty?: ReactNode
  /** Goes back to the list if there is room for only one pane. */
  readonly onBack: () => void
}

/** A list and its open item. The divider can be moved; on narrow screens only one of them is shown. */
export const Split = ({ name, list, listLabel, detail, empty, onBack }: Props) => {
  const [size, setSize] = useKeptSize(`split.${name}`, LIST)
  const slot = useContext(BackSlot)
  const isOpen = detail !== undefined && detail !== null && detail !== false
  const isWhole = !isOpen && empty === undefined
  const back = <IconButton icon="arrow-left" label={`Back to ${listLabel}`} onClick={onBack} />
  return (
    <div className={styles.around}>
      <div
        className={styles.split}
        data-showing={isOpen ? 'detail' : isWhole ? 'whole' : 'list'}
        style={{ '--list': `${size}px` }}
      >
        <section className={styles.list} aria-label={listLabel}>
          {list}
        </section>
        {!isWhole && (
          <>
            <ResizeHandle label={`Width of ${listLabel}`} size={size} bounds={LIST} onResize={setSize} grows="right" />
            <div className={styles.detail}>{isOpen ? detail : empty}</div>
          </>
        )}
      </div>
      {isOpen && slot && createPortal(back, slot)}
    </div>
  )
}

const LIST = { usual: 340, least: 220, most: 640 }
