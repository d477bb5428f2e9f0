import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { follow, stop, stream, type Progress } from '../../api/stream.ts'

export interface StoryRefreshing {
  readonly isRunning: boolean
  readonly progress: Progress | undefined
  readonly fault: unknown
  start(): void
  /** Refreshes with these values of parameters, as `name=value`; `onDone` is called once they are accepted. */
  startWith(set: readonly string[], onDone: () => void): void
  stop(): void
}

/**
 * Refreshes the queries of a story and follows the progress, even after a reload; on a team server, which does not keep
 * calls, a reload ends it.
 */
export function useStoryRefresh(slug: string): StoryRefreshing {
  const project = useProject()
  const client = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const [progress, setProgress] = useState<Progress>()
  const [fault, setFault] = useState<unknown>()
  const id = `story-refresh-${slug}`
  const begun = `ken.${project}.${id}`
  const stopping = useRef<AbortController>(undefined)
  const listen = (work: Promise<unknown>, onDone?: () => void): void => {
    work
      .then(
        () => {
          onDone?.()
          return client.invalidateQueries({ queryKey: [project] })
        },
        (thrown: unknown) => stopping.current?.signal.aborted !== true && setFault(thrown),
      )
      .finally(() => {
        sessionStorage.removeItem(begun)
        setRunning(false)
        setProgress(undefined)
      })
  }
  useEffect(() => {
    // Follows only a refresh that this page started and that has not ended.
    if (sessionStorage.getItem(begun) === null) return undefined
    const controller = new AbortController()
    const heard = (told: Progress): void => {
      setRunning(true)
      setProgress(told)
    }
    follow(project, 'story_refresh', { id, onProgress: heard, signal: controller.signal })
      .then((done) => done && client.invalidateQueries({ queryKey: [project, 'story_show'] }))
      .catch(() => undefined)
      .finally(() => {
        if (controller.signal.aborted) return
        sessionStorage.removeItem(begun)
        setRunning(false)
      })
    return () => controller.abort()
  }, [project, id, begun, client])
  const begin = (set: readonly string[], onDone?: () => void): void => {
    if (isRunning) return
    setRunning(true)
    setFault(undefined)
    stopping.current = new AbortController()
    if (!isTeam()) sessionStorage.setItem(begun, '1')
    const { signal } = stopping.current
    const kept = isTeam() ? { signal } : { id }
    listen(stream(project, 'story_refresh', { slug, set: [...set] }, { ...kept, onProgress: setProgress }), onDone)
  }
  return {
    isRunning,
    progress,
    fault,
    start: () => begin([]),
    startWith: begin,
    stop: () => (isTeam() ? stopping.current?.abort() : void stop(project, 'story_refresh', id)),
  }
}
