import { Link, useNavigate } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { IconButton } from '../../kit/button.tsx'
import { without, type DecisionSearch } from './search.ts'
import { usePick } from './use-pick.ts'
import styles from './picked-bar.module.css'

/** The selected decisions, with the actions on all of them: compare two, supersede all by one new decision. */
export const PickedBar = ({ search }: { search: DecisionSearch }) => {
  const project = useProject()
  const { pick, clear } = usePick(search)
  const compare = useCompare(search)
  const [a, b, third] = pick
  const both = a !== undefined && b !== undefined && third === undefined
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
        {pick.length > 3 ? `${pick.length} decisions` : pick.map(label).join(', ')} selected
      </span>
      {both && (
        <Link
          className={styles.compare}
          to="/$project/decisions/compare"
          params={{ project }}
          search={{ ...search, a, b }}
        >
          Compare
        </Link>
      )}
      {b === undefined && <span className={styles.hint}>x selects another</span>}
      {search.asOf === undefined && (
        <Link
          className={styles.compare}
          to="/$project/decisions/new"
          params={{ project }}
          search={{ ...without(search, 'pick'), supersedes: pick }}
        >
          Supersede {pick.length === 1 ? 'it' : 'all'}
        </Link>
      )}
      <IconButton icon="close" label="Select none" size="small" onClick={clear} />
    </div>
  )
}

/** Opens two decisions side by side. */
function useCompare(search: DecisionSearch): (a: number, b: number) => void {
  const project = useProject()
  const navigate = useNavigate()
  return (a, b) =>
    void navigate({ to: '/$project/decisions/compare', params: { project }, search: { ...search, a, b } })
}
