import { useId, type ReactNode } from 'react'
import { WithCode } from '../../kit/with-code.tsx'
import styles from './settings.module.css'

/** A part of a section: its heading, one line about it, and its content. */
export const Part = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && (
        <p className={styles.about}>
          <WithCode>{about}</WithCode>
        </p>
      )}
      {children}
    </section>
  )
}
