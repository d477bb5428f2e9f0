import { useMemo } from 'react'
import { picked, type DecisionSearch } from './search.ts'
import { useSetSearch } from './use-set-search.ts'

/** Selected decisions; the URL keeps them. */
export function usePick({ pick = NONE }: DecisionSearch) {
  const setSearch = useSetSearch()
  const set = (next: readonly number[]): void =>
    setSearch({ pick: next.length === 0 ? undefined : next }, { replace: true })
  return {
    pick,
    checked: useMemo(() => new Set(pick.map(String)), [pick]),
    toggle: (number: number) => set(picked(pick, number)),
    clear: () => set([]),
  }
}

const NONE: readonly number[] = []
