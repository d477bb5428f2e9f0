import { useStore } from '../../kit/store.ts'
import { useMedia } from '../use-media.ts'
import { inspectorBeside, inspectorDrawer, inspectorParts } from './inspector.ts'

export interface InspectorState {
  /** Whether any part of the page has content. */
  readonly hasParts: boolean
  readonly isOpen: boolean
  readonly isDrawer: boolean
  readonly toggle: () => void
}

export function useInspector(): InspectorState {
  const isDrawer = useMedia('(width < 1100px)')
  const hasParts = useStore(inspectorParts) > 0
  const where = isDrawer ? inspectorDrawer : inspectorBeside
  const isOpen = useStore<'open' | 'closed'>(where) === 'open' && hasParts
  return { hasParts, isOpen, isDrawer, toggle: () => where.set(where.get() === 'open' ? 'closed' : 'open') }
}
