import { useState, type ReactNode } from 'react'
import { BackSlot } from '../kit/back-slot.ts'
import { usePageName } from './page-title.ts'
import styles from './page.module.css'

interface Props {
  /** Its one `h1`, and the title of the window where nothing in it has one of its own. */
  readonly title: string
  /** Before the title: the page that this one belongs to. */
  readonly above?: ReactNode
  /** Beside the title: its parts. */
  readonly views?: ReactNode
  /** In the middle: the one field that the page is about. */
  readonly field?: ReactNode
  /** At the end: buttons. */
  readonly actions?: ReactNode
  /** Below the title: one line. */
  readonly about?: ReactNode
  /** `fill`: the content fills what is left and scrolls by itself, as a `Split` does. `column`: a page to read. */
  readonly layout?: 'column' | 'wide' | 'fill'
  readonly children: ReactNode
}

/** A page of the app: its title, what can be done on it, and its content. Titles of all pages stand in one place. */
export const Page = ({ title, above, views, field, actions, about, layout = 'column', children }: Props) => {
  usePageName(title)
  const [back, setBack] = useState<HTMLElement | null>(null)
  return (
    <div className={styles.page} data-layout={layout}>
      <header className={styles.head} data-with={field === undefined ? undefined : 'field'}>
        <div ref={setBack} className={styles.back} />
        <div className={styles.title}>
          <div className={styles.names}>
            {above !== undefined && <span className={styles.above}>{above}</span>}
            <h1 tabIndex={-1}>{title}</h1>
          </div>
          {about !== undefined && <div className={styles.about}>{about}</div>}
        </div>
        {views}
        {field !== undefined && <div className={styles.field}>{field}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <BackSlot value={back}>
        <div className={styles.body}>{children}</div>
      </BackSlot>
    </div>
  )
}
