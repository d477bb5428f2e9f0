import { Link } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useProject } from '../../api/queries.ts'
import { classNames } from '../../kit/class-names.ts'
import { Icon } from '../../kit/icon.tsx'
import type { DecisionSearch } from './search.ts'
import type { OpenDecision } from './use-decision.ts'
import styles from './lineage-chain.module.css'

type Lineage = NonNullable<OpenDecision['lineage']>

interface Props {
  readonly lineage: Lineage
  readonly number: number
  readonly search: DecisionSearch
}

/** Predecessors and successors of a decision, oldest left. Nothing is shown for a decision without any. */
export const LineageChain = ({ lineage, number, search }: Props) => {
  const project = useProject()
  if (lineage.length < 2) return null
  return (
    <nav aria-label="Lineage">
      <ol className={styles.chain}>
        {lineage.map((one, at) => (
          <li key={one.number} className={styles.link}>
            {at > 0 && (
              <span
                className={styles.arrow}
                title={joins(one, lineage[at - 1]!) ? 'replaced by' : 'of the same family'}
              >
                {joins(one, lineage[at - 1]!) ? <Icon name="arrow-right" size={12} /> : '·'}
              </span>
            )}
            <Link
              to="/$project/decisions/$id"
              params={{ project, id: String(one.number) }}
              search={search}
              className={classNames(styles.member, one.status === 'superseded' && styles.old)}
              aria-current={one.number === number ? 'true' : undefined}
              title={one.title}
            >
              <span className={styles.number}>{label(one.number)}</span>{' '}
              <span className={styles.name}>{one.title}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const joins = (one: Lineage[number], before: Lineage[number]): boolean => one.replaces.includes(before.number)
