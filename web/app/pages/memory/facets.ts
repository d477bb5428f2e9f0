import type { Calls } from '../../api/call.ts'
import { readMemorySearch, TRUSTS, ORIGINS, type MemorySearch } from './memory-address.ts'

type Counts = Calls['memory_facets']['output']

export interface Facet {
  readonly name: FacetName
  readonly label: string
  readonly values: readonly { readonly value: string; readonly label: string; readonly count?: number }[]
  readonly single: boolean
  /** The search with these values selected, without a preview. */
  readonly apply: (chosen: readonly string[]) => MemorySearch
}

type FacetName = (typeof NAMES)[number]

const NAMES = ['origin', 'workspace', 'collection', 'tags', 'from', 'trust'] as const

/** Facets of the current search. A selected value stays listed even without any hits, so that it can be deselected. */
export function facetsOf(counts: Counts | undefined, search: MemorySearch): readonly Facet[] {
  const facet = (name: FacetName, label: string, values: Facet['values'], single = false): Facet => ({
    name,
    label,
    single,
    values: withChosen(values, chosenOf(search, name)),
    apply: (chosen) => {
      const { at: _at, ...rest } = search
      return readMemorySearch({ ...rest, [name]: single ? chosen[0] : [...chosen] })
    },
  })
  const plain = (counted: Counts['origin'] | undefined): Facet['values'] =>
    (counted ?? []).map(({ value, count, name }) => ({ value, count, label: name ?? value }))
  return [
    facet('origin', 'Origin', ordered(plain(counts?.origin), ORIGINS)),
    facet('workspace', 'Workspace', [{ value: 'all', label: 'All workspaces' }, ...plain(counts?.workspace)], true),
    facet('collection', 'Collection', plain(counts?.collection)),
    facet('tags', 'Tags', plain(counts?.tags)),
    facet(
      'from',
      'Any time',
      (counts?.since ?? []).map(({ value, count }) => ({ value, count, label: PERIODS[value] ?? value })),
      true,
    ),
    facet('trust', 'Trust', ordered(plain(counts?.trust), TRUSTS)),
  ]
}

export function chosenOf(search: MemorySearch, name: FacetName): readonly string[] {
  const value = search[name]
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

const withChosen = (values: Facet['values'], chosen: readonly string[]): Facet['values'] => [
  ...values,
  ...chosen
    .filter((one) => !values.some(({ value }) => value === one))
    .map((value) => ({ value, label: value, count: 0 })),
]

const ordered = (values: Facet['values'], order: readonly string[]): Facet['values'] =>
  values.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value))

const PERIODS: Readonly<Record<string, string>> = {
  '1d': 'The last day',
  '7d': 'The last week',
  '30d': 'The last month',
  '365d': 'The last year',
}
