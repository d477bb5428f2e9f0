import { useState, type ReactNode } from 'react'
import { classNames } from '../../../kit/class-names.ts'
import styles from './line-reader.module.css'

interface Props {
  readonly number: number
  /** Undefined while it loads. */
  readonly text: string | undefined
  readonly isCode: boolean
  readonly isHere: boolean
  readonly children: (shown: string) => ReactNode
}

// A minified file is one line of a megabyte, which would freeze the page.
const LONGEST = 2_000

export const SourceLine = ({ number, text = '', isCode, isHere, children }: Props) => {
  const [shownTo, setShownTo] = useState(LONGEST)
  const rest = text.length - shownTo
  return (
    <div className={classNames(styles.line, isCode && styles.code, isHere && styles.here)}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <span className={styles.text}>
        {children(rest > 0 ? text.slice(0, shownTo) : text)}
        {rest > 0 && (
          <button type="button" className={styles.more} onClick={() => setShownTo(shownTo + 10 * LONGEST)}>
            {rest.toLocaleString('en')} more characters
          </button>
        )}
      </span>
    </div>
  )
}
