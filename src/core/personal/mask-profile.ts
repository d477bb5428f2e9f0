import { maskText } from './mask-text.ts'

type Facts = Readonly<Record<string, unknown>>

// Facts that no value can be read from.
const COUNTED = new Set(['name', 'type', 'nulls', 'null_percent', 'distinct'])

/**
 * A profile without the values of columns that are withheld: the least date of birth is somebody's. In the others
 * whatever a sample did not show is masked where it stands, unless the column is to be shown.
 */
export function maskProfile(
  profile: Facts,
  withheld: ReadonlySet<string>,
  isMasked: (column: string) => boolean,
): Facts {
  const columns = rowsOf(profile['columns']).map((column) => {
    const name = String(column['name'])
    if (withheld.has(name)) return Object.fromEntries(Object.entries(column).filter(([fact]) => COUNTED.has(fact)))
    return isMasked(name) ? (maskTexts(column) as Facts) : column
  })
  return { ...profile, columns, tops: columns.filter((column) => column['top'] !== undefined) }
}

const rowsOf = (value: unknown): readonly Facts[] => (Array.isArray(value) ? (value as readonly Facts[]) : [])

// A column with names or addresses shows it in its sample; alone they are not told from titles and shops.
const UNSURE = ['name', 'address'] as const

function maskTexts(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value, UNSURE).text
  if (Array.isArray(value)) return value.map(maskTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'name' || key === 'type' ? inner : maskTexts(inner)]),
  )
}
