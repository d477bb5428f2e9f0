import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { usePropose } from './propose-button.tsx'
import styles from './empty-record.module.css'

/** An empty record: one example decision, and two ways to the first one. */
export const EmptyRecord = () => {
  const propose = usePropose({})
  return (
    <EmptyState
      title="Decisions appear here, with their reasons and rejected alternatives. Propose the first one."
      example={
        <div className={styles.example}>
          <h2 className={styles.title}>Cache hot reads in Redis</h2>
          <p className={styles.reason}>Lower latency than the database for hot reads; we already run it.</p>
          <p className={styles.rejected}>
            Rejected: <strong>Memcached</strong>, because it loses its data on restart.
          </p>
        </div>
      }
      command={'ken add "Cache hot reads in Redis" --rationale "…" --rejected "Memcached: loses its data on restart"'}
      action={
        <Button look="primary" icon="plus" onClick={propose}>
          Propose the first decision
        </Button>
      }
    />
  )
}
