import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import type { DecisionSearch } from './search.ts'

/** Opens two decisions side by side. */
export function useCompare(search: DecisionSearch): (a: number, b: number) => void {
  const project = useProject()
  const navigate = useNavigate()
  return (a, b) =>
    void navigate({ to: '/$project/decisions/compare', params: { project }, search: { ...search, a, b } })
}
