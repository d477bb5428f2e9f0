import { useState } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import type { Turn } from './use-turns.ts'
import styles from './tool-lines.module.css'

/** The tools of a turn, one per line; only the first few if there are many. */
export const ToolLines = ({ tools }: { tools: Turn['tools'] }) => {
  const [isOpen, setOpen] = useState(false)
  if (tools.length === 0) return null
  const shown = isOpen ? tools.slice(0, MOST) : tools.slice(0, FOLDED)
  return (
    <div className={styles.tools}>
      <ul aria-label="Tools">
        {shown.map(({ name, detail, ok }, at) => (
          <li key={at} className={styles.tool}>
            <Icon name={ok === false ? 'bad' : ok === null ? 'minus' : 'check'} size={12} />
            <span className={styles.name}>{name}</span>
            <span className={styles.detail} title={detail}>
              {detail}
            </span>
            {ok !== true && <span className={styles.outcome}>{ok === false ? 'failed' : 'no answer'}</span>}
          </li>
        ))}
      </ul>
      {isOpen && tools.length > MOST && <p className={styles.detail}>{tools.length - MOST} more not shown</p>}
      {tools.length > FOLDED && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer' : `${tools.length - FOLDED} more`}
        </button>
      )}
    </div>
  )
}

const FOLDED = 3
const MOST = 500
