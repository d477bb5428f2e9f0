import { useState, type ReactNode } from 'react'
import { BackSlot } from '../kit/back-slot.ts'
import { usePageName } from './page-title.ts'
import styles from './page.module.css'

interface Props {
  /** The only `h1` of the page, and the window title unless the page's content sets another. */
  readonly title: string
  /** Link to the parent page, before the title. */
  readonly above?: ReactNode
  /** Tabs of the page, beside the title. */
  readonly views?: ReactNode
  /** The main field of the page, in the middle. */
  readonly field?: ReactNode
  /** Buttons, at the end. */
  readonly actions?: ReactNode
  /** One line below the title. */
  readonly about?: ReactNode
  /** `fill`: the content fills the remaining space and scrolls itself, like a `Split`. `column`: a page to read. */
  readonly layout?: 'column' | 'wide' | 'fill'
  readonly children: ReactNode
}

/** A page of the app: its title, its actions and its content. The title is in the same place on all pages. */
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
