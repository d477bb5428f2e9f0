import { useNavigate } from '@tanstack/react-router'
import type { DecisionSearch } from './search.ts'

type Part = { readonly [K in keyof DecisionSearch]?: DecisionSearch[K] | undefined }

/** Changes the URL's search parameters; undefined removes one. */
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
