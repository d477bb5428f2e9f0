import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { follow, stop, stream, type Progress } from '../../api/stream.ts'
import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { clientName } from '../../kit/names.ts'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import styles from './harvest-panel.module.css'

type Report = Calls['harvest']['output']

/** Empty state of the memory: the agent logs found on this machine, and the button that harvests them. */
export const HarvestPanel = () => {
  const found = useAnswer('harvest', { dry_run: true })
  const { progress, report, fault, isRunning, start, end } = useHarvest()
  const clients = (report ?? found.data)?.clients.filter(({ roots }) => roots.length > 0) ?? []
  return (
    <div className={styles.panel}>
      <EmptyState
        title="Sessions with your coding agents appear here. Ken reads their logs on this machine and redacts secrets first. Harvest them to begin."
        example={<p>“Why did we drop the message queue?” finds the line of the session that decided it.</p>}
        action={
          isRunning ? (
            <Button icon="stop" onClick={end}>
              Stop
            </Button>
          ) : (
            <Button look="primary" icon="download" onClick={start}>
              Harvest sessions
            </Button>
          )
        }
        command="ken harvest"
      />
      {progress !== undefined && isRunning && (
        <ProgressBar
          label={progress.message}
          value={progress.total > 0 ? progress.done : undefined}
          of={Math.max(1, progress.total)}
        />
      )}
      {fault !== undefined && <FaultNote fault={fault} again={start} />}
      {clients.length > 0 && <Clients clients={clients} isDone={report !== undefined} />}
      {found.data !== undefined && clients.length === 0 && (
        <p className={styles.none}>No coding agent logs found on this machine.</p>
      )}
    </div>
  )
}

const Clients = ({ clients, isDone }: { clients: Report['clients']; isDone: boolean }) => (
  <section>
    <h2 className={styles.head}>{isDone ? 'Read' : 'Found on this machine'}</h2>
    <ul className={styles.clients}>
      {clients.map((one) => (
        <li key={one.client} className={styles.client}>
          <span>{clientName(one.client)}</span>
          <span className={styles.count}>
            {isDone
              ? `${one.new + one.changed} read, ${one.redactions} secrets redacted`
              : `${one.new} new, ${one.unchanged + one.changed} known`}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

const CALL = 'memory-harvest'

/** One harvest at a time; after a reload the page follows the running one. */
function useHarvest() {
  const project = useProject()
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [report, setReport] = useState<Report>()
  const [fault, setFault] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)

  const settle = async (work: Promise<Report | undefined>): Promise<void> => {
    try {
      const done = await work
      if (done === undefined) return
      setReport(done)
      await client.invalidateQueries({ queryKey: [project] })
    } catch (thrown) {
      setFault(thrown)
    } finally {
      setRunning(false)
    }
  }
  useEffect(() => {
    const gone = new AbortController()
    const heard = (told: Progress): void => {
      setRunning(true)
      setProgress(told)
    }
    follow(project, 'harvest', { id: CALL, onProgress: heard, signal: gone.signal })
      .then((done) => (done === undefined ? undefined : client.invalidateQueries({ queryKey: [project] })))
      .catch(() => undefined)
      .finally(() => !gone.signal.aborted && setRunning(false))
    return () => gone.abort()
  }, [project, client])
  return {
    progress,
    report,
    fault,
    isRunning,
    start: () => {
      setRunning(true)
      setFault(undefined)
      void settle(stream(project, 'harvest', {}, { id: CALL, onProgress: setProgress }))
    },
    end: () => void stop(project, 'harvest', CALL),
  }
}
