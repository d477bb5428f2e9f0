import { Link } from '@tanstack/react-router'
import { useProject } from '../../../api/queries.ts'
import type { TableFacts } from './facts.ts'
import styles from './table-page.module.css'

/** Upstream and downstream of the table, from dbt or a scheduler. */
export const LineageSection = ({ facts }: { facts: TableFacts }) => {
  const project = useProject()
  if (facts.lineage.length === 0) return null
  return (
    <section aria-labelledby="table-lineage">
      <h2 id="table-lineage" className={styles.heading}>
        Lineage
      </h2>
      {facts.lineage.map(({ path, source, made_from: from, used_by: by }) => (
        <div key={path} className={styles.lineage}>
          <Names label="Made from" names={from} />
          <Names label="Used by" names={by} />
          <p className={styles.note}>
            As{' '}
            <Link to="/$project/context/file/$" params={{ project, _splat: path }}>
              {source}
            </Link>{' '}
            says.
          </p>
        </div>
      ))}
    </section>
  )
}

const Names = ({ label, names }: { label: string; names: readonly string[] }) =>
  names.length === 0 ? null : (
    <p>
      <span className={styles.soft}>{label}</span>{' '}
      {names.map((name) => (
        <code key={name} className={styles.chip}>
          {name}
        </code>
      ))}
    </p>
  )
