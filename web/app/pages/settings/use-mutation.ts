import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'

/** A button's action with its pending state and error. Refetches everything afterwards. */
export function useMutation() {
  const project = useProject()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: [project] })
  const run = async (deed: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    setFault(undefined)
    try {
      await deed()
      return true
    } catch (thrown) {
      setFault(thrown instanceof Fault ? thrown : new Fault('unavailable', String(thrown), { status: 0 }))
      return false
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  return { isBusy, fault, run, refresh }
}
