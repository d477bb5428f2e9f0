import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../../api/queries.ts'
import { stream, type Progress } from '../../../api/stream.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import styles from './about-me.module.css'

/** Searches the last sessions for standing preferences. */
export const LearnPanel = ({ learns }: { learns: boolean }) => {
  const project = useProject()
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const learn = async (): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    try {
      const { sessions, drafts } = await stream(
        project,
        'memories_learn',
        {},
        { id: 'memories-learn', onProgress: setProgress },
      )
      await client.invalidateQueries({ queryKey: [project] })
      const found = drafts.length === 0 ? 'nothing new' : `${drafts.length} to review`
      showToast({ text: `Searched ${sessions} ${sessions === 1 ? 'session' : 'sessions'}: ${found}` })
    } catch (thrown) {
      setFault(thrown)
    } finally {
      setBusy(false)
      setProgress(undefined)
    }
  }
  return (
    <div className={styles.learn}>
      <Button size="small" busy={isBusy} onClick={() => void learn()}>
        Learn from my sessions
      </Button>
      {!learns && <p className={styles.off}>Learning is off: memory.learn.</p>}
      {progress !== undefined && (
        <ProgressBar label={progress.message} value={progress.done} of={Math.max(1, progress.total)} />
      )}
      {fault !== undefined && <FaultNote fault={fault} />}
    </div>
  )
}
