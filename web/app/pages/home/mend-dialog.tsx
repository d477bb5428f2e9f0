import { useState } from 'react'
import { useAct, useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { WithCode } from '../../kit/with-code.tsx'
import styles from './mend-dialog.module.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  /** Whether files were edited by hand, so that a person has to decide which version is right. */
  readonly hasEdits: boolean
}

/** Preview of a repair. */
export const MendDialog = ({ open, onClose, hasEdits }: Props) => {
  const [takesBack, setTakesBack] = useState(false)
  const plan = useAnswer('repair', { dry_run: true, take_back: takesBack }, { enabled: open })
  const repair = useAct('repair')
  const accept = useAct('accept')
  const mended = plan.data?.mended ?? []
  const mend = async (): Promise<void> => {
    const done = await repair.mutateAsync({ take_back: takesBack })
    showToast({ text: done.mended.length === 1 ? 'Repaired 1 problem.' : `Repaired ${done.mended.length} problems.` })
    onClose()
  }
  const keepEdits = async (): Promise<void> => {
    await accept.mutateAsync({})
    showToast({ text: 'Edits accepted into the record.' })
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width="wide"
      title="Repair preview"
      actions={
        <>
          {hasEdits && (
            <Button busy={accept.isPending} onClick={() => void keepEdits().catch(() => undefined)}>
              Keep the edits
            </Button>
          )}
          {mended.length > 0 && (
            <Button look="primary" busy={repair.isPending} onClick={() => void mend().catch(() => undefined)}>
              Repair {mended.length === 1 ? 'it' : `all ${mended.length}`}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.plan}>
        {hasEdits && <Switch label="Revert manual edits" on={takesBack} onChange={setTakesBack} />}
        {plan.error !== null && <FaultNote fault={plan.error} again={() => void plan.refetch()} />}
        {[repair.error, accept.error].map((fault, at) => fault !== null && <FaultNote key={at} fault={fault} />)}
        {plan.isPending ? <Skeleton rows={4} /> : plan.data !== undefined && <Plan plan={plan.data} />}
      </div>
    </Dialog>
  )
}

type Repaired = NonNullable<ReturnType<typeof useAnswer<'repair'>>['data']>

const Plan = ({ plan }: { plan: Repaired }) => (
  <>
    {plan.mended.length === 0 ? (
      <p>Nothing can be repaired automatically.</p>
    ) : (
      <ul className={styles.lines}>
        {plan.mended.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )}
    {plan.differences.map(({ path, diff }) => (
      <TextDiff key={path} label={path} diff={diff} />
    ))}
    {plan.left.length > 0 && (
      <section className={styles.left}>
        <h3>Not repaired</h3>
        <ul className={styles.lines}>
          {plan.left.map(({ path, message, reason }, at) => (
            <li key={`${path} ${at}`}>
              <span className={styles.path}>{path}</span> {message}
              <p className={styles.reason}>
                <WithCode>{reason}</WithCode>
              </p>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
)
