import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call, type Calls } from '../../../api/call.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { WithCode } from '../../../kit/with-code.tsx'
import { Kept } from './set-up-step.tsx'
import { TryCheck } from './try-check.tsx'
import styles from './set-up.module.css'

/** What a set-up did, what only the reader can do, and the way back. */
export const SetUpResult = ({ onClose }: { readonly onClose: () => void }) => {
  const [id, project, client] = [useId(), useProject(), useQueryClient()]
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const { data, error, isPending } = useAnswer('start', { dry_run: true })
  const undo = async (): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    try {
      const { steps } = await call(project, 'start', { undo: true, yes: true })
      const kept = steps.flatMap((one) => one.kept ?? [])
      showToast({ text: kept.length === 0 ? 'Undone.' : `Undone. Kept: ${kept.join(' ')}` })
      onClose()
    } catch (thrown) {
      setFault(thrown)
    }
    setBusy(false)
    await client.invalidateQueries({ queryKey: [project] })
  }
  // The folder was set up elsewhere since, or its set-up was undone.
  if (data?.outcome === 'planned' || error?.code === 'conflict') return null
  return (
    <section className={styles.result} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.heading}>
          Set-up of this folder
        </h2>
        <IconButton icon="close" label="Close the set-up" size="small" onClick={onClose} />
      </header>
      {isPending && <Skeleton rows={4} />}
      {error && <FaultNote fault={error} />}
      {data && (
        <>
          <ul className={styles.done} aria-label="Results">
            {data.steps.map((step) => (
              <Result key={step.id} step={step} />
            ))}
          </ul>
          {data.next.length > 0 && (
            <div className={styles.next}>
              <h3>Only you can do this</h3>
              <ul>
                {data.next.map((line) => (
                  <li key={line}>
                    <WithCode>{line}</WithCode>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <TryCheck example={data.first?.input['proposed_approach']} />
          {fault !== undefined && <FaultNote fault={fault} />}
          <div className={styles.way}>
            <Button icon="undo" busy={isBusy} onClick={() => void undo()}>
              Undo set-up
            </Button>
            <span className={styles.same}>
              Restores every file. Later: <code>ken start --undo</code>
            </span>
          </div>
        </>
      )}
    </section>
  )
}

const Result = ({ step }: { readonly step: Calls['start']['output']['steps'][number] }) => {
  const { what, detail, problem } = step
  return (
    <li className={problem === undefined ? styles.good : styles.bad}>
      <Icon name={problem === undefined ? 'check' : 'close'} size={14} />
      <div>
        <span>
          {problem !== undefined && 'Failed: '}
          {what}
        </span>
        {detail !== '' && <span className={styles.more}> · {detail}</span>}
        {problem !== undefined && <p className={styles.warn}>{problem}</p>}
        <div className={styles.more}>
          <Kept step={step} />
        </div>
      </div>
    </li>
  )
}
