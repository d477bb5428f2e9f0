import { useCallback, useSyncExternalStore } from 'react'
import { useProject } from '../../api/queries.ts'

const listeners = new Set<() => void>()
const keyOf = (project: string): string => `ken.model.ask.${project}`

/** The model that the person chose for this project here; empty for the one that the settings name. */
export function useChosenModel(): readonly [string, (model: string) => void] {
  const project = useProject()
  const model = useSyncExternalStore(subscribe, () => read(project))
  const choose = useCallback(
    (name: string) => {
      try {
        if (name === '') localStorage.removeItem(keyOf(project))
        else localStorage.setItem(keyOf(project), name)
      } catch {
        // A browser that keeps nothing asks the model of the settings.
      }
      for (const changed of listeners) changed()
    },
    [project],
  )
  return [model, choose]
}

function read(project: string): string {
  try {
    return localStorage.getItem(keyOf(project)) ?? ''
  } catch {
    return ''
  }
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
