import { useCallback, useSyncExternalStore } from 'react'
import { useProject } from '../../api/queries.ts'
import { keep, kept } from '../../kit/kept-text.ts'

const listeners = new Set<() => void>()
const keyOf = (project: string): string => `ken.model.ask.${project}`

/** The model chosen for this project in this browser; empty for the configured one. */
export function useChosenModel(): readonly [string, (model: string) => void] {
  const project = useProject()
  const model = useSyncExternalStore(subscribe, () => kept(keyOf(project)) ?? '')
  const choose = useCallback(
    (name: string) => {
      keep(keyOf(project), name === '' ? undefined : name)
      for (const changed of listeners) changed()
    },
    [project],
  )
  return [model, choose]
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
