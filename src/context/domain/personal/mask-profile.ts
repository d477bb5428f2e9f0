import type { ProfiledColumn } from '../sources/table-profile.ts'
import { maskText } from './mask-text.ts'

/**
 * Masks personal values in a profile that the sample did not show, unless the column is to be shown. Withheld columns
 * have already lost their values.
 */
export function maskProfile<T extends { readonly columns: readonly ProfiledColumn[] }>(
  profile: T,
  isMasked: (column: string) => boolean,
): T {
  return {
    ...profile,
    columns: profile.columns.map((column) => (isMasked(column.name) ? (maskTexts(column) as ProfiledColumn) : column)),
  }
}

// A column of names or addresses is detected by its sample; single ones cannot be distinguished from titles and shops.
export const UNSURE = ['name', 'address'] as const

function maskTexts(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value, UNSURE).text
  if (Array.isArray(value)) return value.map(maskTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'name' || key === 'type' ? inner : maskTexts(inner)]),
  )
}
