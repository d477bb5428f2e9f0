import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { queryKey, useAnswer, useProject } from '../../api/queries.ts'
import { keepPages, PAGE, pagesOf, sparse } from './paging.ts'
import { filterInput, type DecisionSearch, type SortColumn } from './search.ts'

type Answer = Calls['list_decisions']['output']
export type DecisionRow = Answer['decisions'][number]

export interface DecisionList {
  /** As long as the whole list; rows that are not loaded are missing. */
  readonly rows: readonly DecisionRow[]
  readonly head: Answer | undefined
  readonly fault: Fault | null
  readonly again: () => void
  /** Loads the visible rows. */
  readonly want: (first: number, last: number) => void
}

/** The decisions that match the URL, loaded as they become visible. */
export function useDecisionList(
  search: DecisionSearch,
  { order = search.sort ?? 'number', open }: { order?: SortColumn | 'number'; open?: number | undefined } = {},
): DecisionList {
  const project = useProject()
  const filters = {
    ...filterInput(search),
    order,
    outcomes: true,
    ...(search.reverse && order === (search.sort ?? 'number') && { reverse: true }),
  }
  const of = JSON.stringify(filters)
  const head = useAnswer('list_decisions', { ...filters, limit: PAGE, counts: true }, { keep: true })
  const [held, setHeld] = useState<{ of: string; pages: readonly number[] }>({ of, pages: [] })
  const pages = held.of === of ? held.pages : NONE
  const want = (first: number, last: number): void => {
    const seen = pagesOf(first, Math.min(last, (head.data?.total ?? 1) - 1)).filter((page) => page > 0)
    const next = keepPages(pages, seen)
    if (next !== pages) setHeld({ of, pages: next })
  }
  const fetched = useQueries({
    queries: pages.map((page) => {
      const input = { ...filters, limit: PAGE, offset: page * PAGE }
      return {
        queryKey: queryKey(project, 'list_decisions', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(project, 'list_decisions', input, signal),
      }
    }),
    combine: answers,
  })
  const rows = useMemo(() => {
    const known = new Map([[0, head.data?.decisions ?? []]])
    for (const [at, answer] of fetched.entries()) if (answer) known.set(pages[at]!, answer.decisions)
    return sparse(head.data?.total ?? 0, known)
  }, [head.data, fetched, pages])
  const position = usePosition(
    filters,
    open !== undefined && !rows.some((row) => row?.number === open) ? open : undefined,
  )
  if (position !== undefined && position < rows.length && rows[position] === undefined) want(position, position)
  return { rows, head: head.data, fault: head.error, again: () => void head.refetch(), want }
}

const NONE: readonly number[] = []

const answers = (all: readonly { data: Answer | undefined }[]): readonly (Answer | undefined)[] =>
  all.map(({ data }) => data)

/** List position of the decision in the URL, which may be far down. */
function usePosition(filters: object, open: number | undefined): number | undefined {
  const { data } = useAnswer(
    'list_decisions',
    { ...filters, limit: 1, ...(open !== undefined && { locate: open }) },
    { enabled: open !== undefined },
  )
  return open === undefined ? undefined : data?.position
}
