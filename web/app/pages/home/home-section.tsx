import { useId, type ReactNode } from 'react'
import { Count } from '../../kit/count.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { PlaceLink } from '../../kit/place-link.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import styles from './home-section.module.css'

interface Props {
  readonly title: string
  /** Total number of items. */
  readonly count?: number | undefined
  /** Link to the complete list. */
  readonly all?: { readonly to: string; readonly label: string } | undefined
  /** Query state of its data. */
  readonly state: { readonly isPending: boolean; readonly error: unknown; readonly refetch: () => unknown }
  /** One calm sentence if the list is empty. */
  readonly calm: string
  readonly children: ReactNode
}

/** A short list on Home. */
export const HomeSection = ({ title, count, all, state, calm, children }: Props) => {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {count !== undefined && count > 0 && <Count value={count} of="in all" />}
        {all !== undefined && (
          <PlaceLink to={all.to} className={styles.all} aria-label={all.label}>
            All
          </PlaceLink>
        )}
      </header>
      <Body {...{ state, calm }}>{children}</Body>
    </section>
  )
}

const Body = ({ state, calm, children }: Pick<Props, 'state' | 'calm' | 'children'>) => {
  if (state.error !== null && state.error !== undefined)
    return <FaultNote fault={state.error} again={() => void state.refetch()} />
  if (state.isPending) return <Skeleton rows={3} />
  const isEmpty = Array.isArray(children) ? children.every((child) => !child) : !children
  return isEmpty ? <p className={styles.calm}>{calm}</p> : children
}
