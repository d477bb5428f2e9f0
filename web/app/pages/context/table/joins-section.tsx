import { Link } from '@tanstack/react-router'
import { useProject } from '../../../api/queries.ts'
import type { JoinFacts, TableFacts } from './facts.ts'
import { JoinDiagram } from './join-diagram.tsx'
import styles from './joins-section.module.css'

/** The table's joins: a small diagram, and each join in words. */
export const JoinsSection = ({ facts }: { facts: TableFacts }) =>
  facts.joins.length === 0 ? null : (
    <section aria-labelledby="table-joins">
      <h2 id="table-joins" className={styles.heading}>
        Joins
      </h2>
      <JoinDiagram facts={facts} />
      <ul className={styles.joins}>
        {facts.joins.map((join, at) => (
          <Join key={at} join={join} facts={facts} />
        ))}
      </ul>
    </section>
  )

const Join = ({ join, facts }: { join: JoinFacts; facts: TableFacts }) => {
  const project = useProject()
  const own = facts.table.slice(facts.table.indexOf('.') + 1)
  return (
    <li className={styles.join}>
      <code>
        {own}.{join.columns.join(', ')} = <TableLink database={facts.database} table={join.table} project={project} />.
        {join.referenced.join(', ')}
      </code>
      <span className={styles.about}>{join.declared ? `declared, ${join.about}` : `inferred ${join.about}`}</span>
    </li>
  )
}

const TableLink = ({ database, table, project }: { database: string; table: string; project: string }) => (
  <Link to="/$project/context/table/$" params={{ project, _splat: `${database}/${table}` }}>
    {table}
  </Link>
)
