import { useAct, useAnswer } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import styles from './about-me.module.css'

/** Memories learned from sessions and pending review; inactive until approved. */
export const DraftedMemories = () => {
  const { data } = useAnswer('inbox_list', { kind: 'memory' })
  const apply = useAct('inbox_apply')
  const dismiss = useAct('inbox_dismiss')
  const undo = useAct('inbox_undo')
  const drafts = data?.drafts ?? []
  if (drafts.length === 0) return null
  const settle = (draft: string, how: 'apply' | 'dismiss'): void => {
    const done = {
      onSuccess: () =>
        showToast({
          text: how === 'apply' ? 'Remembered' : 'Dismissed',
          undo: () => undo.mutateAsync({ draft }),
        }),
    }
    if (how === 'apply') apply.mutate({ draft, yes: true }, done)
    else dismiss.mutate({ draft }, done)
  }
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>Learned, pending review</h2>
      <ul>
        {drafts.map(({ id, title, why }) => (
          <li key={id} className={styles.item}>
            <p className={styles.content}>{title}</p>
            <p className={styles.facts}>
              <TrustMark trust="learned" />
              <span>{why}</span>
            </p>
            <div className={styles.actions}>
              <Button size="small" onClick={() => settle(id, 'apply')}>
                Remember
              </Button>
              <Button size="small" look="quiet" onClick={() => settle(id, 'dismiss')}>
                Dismiss
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {(apply.error ?? dismiss.error) !== null && <FaultNote fault={apply.error ?? dismiss.error} />}
    </section>
  )
}
