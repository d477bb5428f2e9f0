import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Calls, OperationName } from '../api/call.ts'
import { Fault } from '../api/fault.ts'
import { useProject } from '../api/queries.ts'
import { follow, stop, stream, type Progress } from '../api/stream.ts'
import { underWay } from '../kit/under-way.ts'

/** Long work of one kind: it continues when the page closes, and is found again on return. */
export function useLongMutation<N extends OperationName>(name: N, id: string = name) {
  const project = useProject()
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [outcome, setOutcome] = useState<Calls[N]['output']>()
  const hear = async (begin: () => Promise<Calls[N]['output'] | undefined>): Promise<void> => {
    setFault(undefined)
    try {
      setOutcome(await begin())
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code !== 'stopped') setFault(thrown)
    } finally {
      underWay.ended(project, id)
      setBusy(false)
      setProgress(undefined)
      await client.invalidateQueries({ queryKey: [project] })
    }
  }
  useEffect(() => {
    if (!underWay.has(project, id)) return
    const leaving = new AbortController()
    const onProgress = (told: Progress): void => {
      setBusy(true)
      setProgress(told)
    }
    void follow(project, name, { id, onProgress, signal: leaving.signal })
      .catch(() => undefined)
      .finally(() => {
        if (leaving.signal.aborted) return
        underWay.ended(project, id)
        setBusy(false)
        setProgress(undefined)
      })
    return () => leaving.abort()
  }, [project, name, id])
  return {
    progress,
    isBusy,
    fault,
    outcome,
    start(input: Calls[N]['input']): void {
      if (isBusy) return
      setBusy(true)
      setOutcome(undefined)
      underWay.began(project, id)
      void hear(() => stream(project, name, input, { id, onProgress: setProgress }))
    },
    stop: () => void stop(project, name, id),
  }
}
