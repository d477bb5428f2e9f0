import { useRef, useState } from 'react'
import { Fault } from '../../../api/fault.ts'
import { useProject } from '../../../api/queries.ts'
import { stream, type Progress } from '../../../api/stream.ts'
import type { Plan } from './use-plan.ts'

export interface DryRunState {
  readonly isRunning: boolean
  readonly progress: Progress | undefined
  readonly plan: Plan | undefined
  readonly fault: Fault | undefined
  start(text: string): void
  stop(): void
}

/** Queries the sources of an unsaved text for the items a sync would fetch. Writes nothing. */
export function useDryRun(): DryRunState {
  const project = useProject()
  const [progress, setProgress] = useState<Progress>()
  const [plan, setPlan] = useState<Plan>()
  const [fault, setFault] = useState<Fault>()
  const [isRunning, setRunning] = useState(false)
  const under = useRef<AbortController>(undefined)
  const run = async (text: string, signal: AbortSignal): Promise<void> => {
    setRunning(true)
    setFault(undefined)
    setPlan(undefined)
    try {
      setPlan(await stream(project, 'context_plan', { text, compile: true }, { onProgress: setProgress, signal }))
    } catch (thrown) {
      if (thrown instanceof Fault && !signal.aborted) setFault(thrown)
    }
    setRunning(false)
    setProgress(undefined)
  }
  return {
    isRunning,
    progress,
    plan,
    fault,
    start(text) {
      under.current = new AbortController()
      void run(text, under.current.signal)
    },
    stop: () => under.current?.abort(),
  }
}
