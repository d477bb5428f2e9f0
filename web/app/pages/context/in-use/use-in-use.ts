import { useState } from 'react'
import { call, type Calls } from '../../../api/call.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { isTeam } from '../../../api/server.ts'

export type Origin = NonNullable<Calls['context_in_use']['output']['origin']>

const NOW_AND_THEN_MS = 30_000
const WHILE_PULLING_MS = 1_000
// Longer than a replica waits for a response from the repository.
const GIVE_UP_MS = 150_000

/** The active commit of the context. Polled, and more often while a pull is pending. */
export function useInUse() {
  const project = useProject()
  const [awaited, setAwaited] = useState<{ readonly before: string | undefined; readonly until: number }>()
  const isUnderWay = (origin: Origin | undefined, now: number): boolean => {
    if (origin === undefined) return false
    const lookedAt = origin.looked?.at
    return lookedAt === undefined || (awaited?.before === lookedAt && now < awaited.until)
  }
  const { data, error, refetch, dataUpdatedAt } = useAnswer(
    'context_in_use',
    {},
    {
      enabled: isTeam(),
      every: (known) => (isUnderWay(known?.origin, Date.now()) ? WHILE_PULLING_MS : NOW_AND_THEN_MS),
    },
  )
  const origin = data?.origin
  return {
    data,
    error,
    refetch,
    origin,
    isPulling: isUnderWay(origin, dataUpdatedAt),
    async pull(): Promise<void> {
      const before = origin?.looked?.at
      await call(project, 'context_git_pull', {})
      setAwaited({ before, until: Date.now() + GIVE_UP_MS })
    },
  }
}
