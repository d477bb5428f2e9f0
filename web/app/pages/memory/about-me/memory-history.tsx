import { useAnswer } from '../../../api/queries.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { MemoryEvents } from './memory-events.tsx'

/** Changes of one memory, newest first. */
export const MemoryHistory = ({ memory }: { memory: string }) => {
  const { data, error } = useAnswer('memories_history', { memory })
  if (error !== null) return <FaultNote fault={error} />
  return data === undefined ? <Skeleton rows={2} /> : <MemoryEvents events={data.events} />
}
