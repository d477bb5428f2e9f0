import type { Fault } from '../api/fault.ts'
import type { Progress } from '../api/stream.ts'
import { Button } from '../kit/button.tsx'
import { FaultNote } from '../kit/fault-note.tsx'
import { ProgressBar } from '../kit/progress-bar.tsx'
import styles from './long-mutation-bar.module.css'

interface Props {
  readonly deed: {
    readonly isBusy: boolean
    readonly progress: Progress | undefined
    readonly fault: Fault | undefined
    stop(): void
  }
  /** Status text until the work reports a status. */
  readonly label: string
}

/** Progress of long work, with a stop button; or its error. */
export const LongMutationBar = ({ deed: { isBusy, progress, fault, stop }, label }: Props) => {
  if (!isBusy) return fault === undefined ? null : <FaultNote fault={fault} />
  return (
    <div className={styles.line} role="status">
      <div className={styles.grow}>
        <ProgressBar
          label={progress?.message || label}
          {...(progress !== undefined && progress.total > 0 && { value: progress.done, of: progress.total })}
        />
      </div>
      <Button size="small" icon="stop" onClick={stop}>
        Stop
      </Button>
    </div>
  )
}
