import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { WithCode } from '../../kit/with-code.tsx'
import { brokenWords, passedWords, spentWords } from './run-words.ts'
import { useRunningTests } from './running-tests.ts'
import styles from './run-bar.module.css'

/** The current run, or the outcome of the last run on this page. */
export const RunBar = () => {
  const project = useProject()
  const { running, start, stop, dismiss } = useRunningTests()
  if (running.state === 'idle') return null
  if (running.state === 'running') {
    const { progress, isStopping } = running
    return (
      <div className={styles.bar} role="status">
        <ProgressBar
          label={isStopping ? 'Stopping' : (progress && saidOf(progress)) || 'Starting the run'}
          {...(progress !== undefined && progress.total > 0 && { value: progress.done, of: progress.total })}
        />
        <Button size="small" icon="stop" busy={isStopping} onClick={stop}>
          Stop
        </Button>
      </div>
    )
  }
  const close = <IconButton icon="close" label="Dismiss" size="small" onClick={dismiss} />
  if (running.state === 'failed')
    return (
      <div className={styles.bar}>
        <FaultNote fault={running.fault} />
        {running.fault.code === 'stopped' && running.again !== undefined && (
          <Button size="small" icon="play" onClick={() => start(running.again!)}>
            Resume
          </Button>
        )}
        {close}
      </div>
    )
  const { run, total, notes } = running.outcome
  return (
    <div className={styles.bar} role="status">
      <p className={styles.words}>
        {passedWords(total)}
        {brokenWords(total)} · {spentWords(total).join(' · ')}.{' '}
        <Link to="/$project/tests/run/$run" params={{ project, run: run.id }}>
          Open the run
        </Link>
        {notes.map((note) => (
          <span key={note} className={styles.note}>
            <WithCode>{note}</WithCode>
          </span>
        ))}
      </p>
      {close}
    </div>
  )
}

const saidOf = ({ message, done, total }: { message: string; done: number; total: number }): string =>
  `${total > 0 ? `${done} of ${total} · ` : ''}${message}`
