import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'

/** Something that a button does: whether it is under way, and what went wrong. Afterwards all is asked for again. */
export function useDeed() {
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
