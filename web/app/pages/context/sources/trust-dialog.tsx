import { useEffect, useEffectEvent } from 'react'
import { useAct } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import styles from './trust-dialog.module.css'

/** Lists the reach of ken.yaml outside its folder. Only the entries shown here are allowed. */
export const TrustDialog = ({ onClose }: { onClose: () => void }) => {
  const look = useAct('trust')
  const allow = useAct('trust')
  const first = useEffectEvent(() => look.mutate({}))
  useEffect(() => first(), [])
  const shown = look.data
  const agree = (): void =>
    allow.mutate(
      { yes: true, ...(shown?.mark !== undefined && { seen: shown.mark }) },
      {
        onSuccess: () => {
          showToast({ text: 'Trusted. If its reach changes, review it again.' })
          onClose()
        },
        onError: () => look.mutate({}),
      },
    )
  return (
    <Dialog
      open
      width="wide"
      onClose={onClose}
      title="Trust the reach of ken.yaml?"
      description="It may have come with a clone. Until you allow it, Ken only opens files inside this folder."
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          {shown?.outcome === 'unanswered' && (
            <Button look="primary" busy={allow.isPending} onClick={agree}>
              Allow
            </Button>
          )}
        </>
      }
    >
      {look.error && <FaultNote fault={look.error} />}
      {allow.error && <FaultNote fault={allow.error} />}
      {shown === undefined && look.error === null && <Skeleton rows={3} />}
      {shown?.faults?.map((fault) => (
        <p key={fault} className={styles.fault}>
          {fault}
        </p>
      ))}
      {shown !== undefined && shown.outcome !== 'unanswered' && <p>Nothing to allow.</p>}
      {shown?.projects[0]?.entries.map(({ entry, reaches, change }) => (
        <section key={entry} className={styles.entry}>
          <h3>{entry}</h3>
          {change !== undefined && <p className={styles.change}>changed: {change}</p>}
          <ul className={styles.reaches}>
            {reaches.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  )
}
