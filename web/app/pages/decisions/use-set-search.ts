import { useNavigate } from '@tanstack/react-router'
import type { DecisionSearch } from './search.ts'

type Part = { readonly [K in keyof DecisionSearch]?: DecisionSearch[K] | undefined }

/** Changes what the address says of whatever is open; undefined takes it out. */
export function useSetSearch(): (part: Part, how?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate()
  return (part, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (now: object) =>
        Object.fromEntries(Object.entries({ ...now, ...part }).filter(([, value]) => value !== undefined)) as never,
      replace,
    })
}
