import type { ReactNode } from 'react'
import { PlaceLink } from '../../kit/place-link.tsx'
import styles from './home-row.module.css'

interface Props {
  /** Link target; undefined if there is nothing to open. */
  readonly to: string | undefined
  /** A word before the title, such as `D12`. */
  readonly mark?: string | undefined
  readonly title: string
  /** Details below the title, in a lighter colour. */
  readonly more?: ReactNode
  /** Content at the end of the line, such as an age or buttons. */
  readonly end?: ReactNode
}

/** One line of a short list. */
export const HomeRow = ({ to, mark, title, more, end }: Props) => (
  <li className={styles.row}>
    <div className={styles.words}>
      <span className={styles.line}>
        {mark !== undefined && <span className={styles.mark}>{mark}</span>}
        {to === undefined ? (
          <span className={styles.title}>{title}</span>
        ) : (
          <PlaceLink to={to} className={styles.title} title={title}>
            {title}
          </PlaceLink>
        )}
      </span>
      {more !== undefined && <span className={styles.more}>{more}</span>}
    </div>
    {end !== undefined && <div className={styles.end}>{end}</div>}
  </li>
)
