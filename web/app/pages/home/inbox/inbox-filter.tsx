import { isOffered } from '../../../api/server.ts'
import { Select } from '../../../kit/select.tsx'
import { inboxRoute } from '../routes.ts'
import type { InboxSearch } from './inbox-search.ts'
import styles from './inbox-filter.module.css'

/** Filters the listed drafts. */
export const InboxFilter = ({ search }: { search: InboxSearch }) => {
  const navigate = inboxRoute.useNavigate()
  const { kind, settled } = search
  const show = (change: InboxSearch): void => void navigate({ search: change })
  return (
    <div className={styles.filters}>
      <Select
        label="Kind"
        hideLabel
        value={kind ?? 'all'}
        options={KINDS}
        onChange={(chosen) => show({ ...(chosen !== 'all' && { kind: chosen }), ...(settled && { settled }) })}
      />
      <Select
        label="State"
        hideLabel
        value={settled ? 'settled' : 'waiting'}
        options={STATES}
        onChange={(chosen) => show({ ...(kind && { kind }), ...(chosen === 'settled' && { settled: true as const }) })}
      />
    </div>
  )
}

const KINDS = [
  { value: 'all', label: 'Drafts and proposals' },
  { value: 'rule', label: 'Rules' },
  { value: 'test', label: 'Tests' },
  { value: 'memory', label: 'Facts' },
  { value: 'decision', label: 'Decisions' },
  { value: 'question', label: 'Questions' },
  ...(isOffered('conflicts') ? [{ value: 'conflict', label: 'Conflicts' } as const] : []),
  ...(isOffered('accept') ? [{ value: 'proposal', label: 'Agent proposals' } as const] : []),
  ...(isOffered('accept') ? [{ value: 'import', label: 'Import reviews' } as const] : []),
  ...(isOffered('drift') ? [{ value: 'drift', label: 'Drift' } as const] : []),
] as const

const STATES = [
  { value: 'waiting', label: 'Pending' },
  { value: 'settled', label: 'Applied or dismissed' },
] as const
