import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useProject } from '../../../api/queries.ts'
import { useInUse } from './use-in-use.ts'

/** Refetches everything when another commit becomes active. */
export function useFollowCommit(): void {
  const project = useProject()
  const client = useQueryClient()
  const { data } = useInUse()
  const version = data && `${project} ${data.origin?.in_use?.commit} ${data.origin?.in_use?.taken_at}`
  const seen = useRef(version)
  useEffect(() => {
    const before = seen.current
    seen.current = version
    if (before === undefined || version === undefined || before === version) return
    void client.invalidateQueries({ queryKey: [project] })
  }, [client, project, version])
}
