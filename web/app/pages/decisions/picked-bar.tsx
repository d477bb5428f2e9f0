import { Link } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { IconButton } from '../../kit/button.tsx'
import type { DecisionSearch } from './search.ts'
import { useCompare } from './use-compare.ts'
import { usePick } from './use-pick.ts'
import styles from './picked-bar.module.css'

/** The selected decisions, and a compare action if there are two. */
export const PickedBar = ({ search }: { search: DecisionSearch }) => {
  const project = useProject()
  const { pick, clear } = usePick(search)
  const compare = useCompare(search)
  const [a, b] = pick
  const both = a !== undefined && b !== undefined
  useKeys(
    [{ keys: 'c', does: 'Compare the two that are selected', group: 'Decisions', run: () => both && compare(a, b) }],
    {
      enabled: both,
    },
  )
  if (a === undefined) return null
  return (
    <div className={styles.bar}>
      <span className={styles.words} role="status">
        {pick.map(label).join(' and ')} selected
      </span>
      {both ? (
        <Link
          className={styles.compare}
          to="/$project/decisions/compare"
          params={{ project }}
          search={{ ...search, a, b }}
        >
          Compare
        </Link>
      ) : (
        <span className={styles.hint}>x selects another</span>
      )}
      <IconButton icon="close" label="Select none" size="small" onClick={clear} />
    </div>
  )
}
