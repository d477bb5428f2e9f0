import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Fault } from '../../../api/fault.ts'
import { useProject } from '../../../api/queries.ts'
import { follow, stop, stream, type Progress } from '../../../api/stream.ts'
import { keep, kept } from '../../../kit/kept-text.ts'
import { endedSync, runningSync, type SourceSync, type SyncOutput } from './sync-state.ts'

// One sync per project at a time: the same name from every tab joins the running one.
const ID = 'context-sync'

export interface Sync {
  readonly isRunning: boolean
  /** Latest progress of the running sync. */
  readonly progress: Progress | undefined
  readonly output: SyncOutput | undefined
  readonly fault: Fault | undefined
  start(only?: readonly string[]): void
  stop(): void
  of(key: string): SourceSync | undefined
}

/** A sync that continues when the page is left or reloaded, and is found again afterwards. */
export function useSync(): Sync {
  const project = useProject()
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [output, setOutput] = useState<SyncOutput>()
  const [fault, setFault] = useState<Fault>()
  const [isRunning, setRunning] = useState(false)
  const listening = { id: ID, onProgress: (told: Progress) => (setRunning(true), setProgress(told)) }
  const settle = async (answer: Promise<SyncOutput | undefined>, signal: AbortSignal): Promise<void> => {
    try {
      const told = await answer
      if (told !== undefined && !signal.aborted) setOutput(told)
    } catch (thrown) {
      // A stopped sync is not a fault: its written files are kept.
      if (thrown instanceof Fault && thrown.code !== 'stopped' && !signal.aborted) setFault(thrown)
    }
    if (signal.aborted) return
    keep(keyOf(project), '')
    setRunning(false)
    setProgress(undefined)
    await client.invalidateQueries({ queryKey: [project] })
  }
  const findAgain = useEffectEvent((signal: AbortSignal) =>
    settle(follow(project, 'sync_sources', { ...listening, signal }), signal),
  )
  useEffect(() => {
    const gone = new AbortController()
    if (kept(keyOf(project)) === 'begun') void findAgain(gone.signal)
    return () => gone.abort()
  }, [project])
  return {
    isRunning,
    progress,
    output,
    fault,
    start(only = []) {
      setFault(undefined)
      setOutput(undefined)
      setRunning(true)
      keep(keyOf(project), 'begun')
      void settle(stream(project, 'sync_sources', { only: [...only] }, listening), NEVER)
    },
    stop: () => void stop(project, 'sync_sources', ID),
    of(key) {
      const part = progress?.parts?.find(({ name }) => name === key)
      if (isRunning) return part === undefined ? undefined : runningSync(part)
      return output === undefined ? undefined : endedSync(output, key)
    },
  }
}

/** Stored in this browser, so that other visits do not request a sync that was never started. */
const keyOf = (project: string): string => `ken.sync.${project}`

const NEVER = new AbortController().signal
