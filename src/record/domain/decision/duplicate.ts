import { sha256 } from '../../../kernel/domain/sha256.ts'
import { strip } from '../../../kernel/domain/text.ts'

/** Equal for proposals that differ only in case and outer white space. */
export const duplicateHash = (title: string, rationale: string): string =>
  sha256(`${strip(title).toLowerCase()}|${strip(rationale).toLowerCase()}`)

/** The normalised title, which must be unique among active decisions. */
export const normalizeTitle = (title: string): string => strip(title).toLowerCase().replace(/\s+/g, ' ')

/** `.decision-hashes.json`: texts already recorded, by duplicate hash. */
export type HashIndex = Readonly<Record<string, { readonly decision_id: string; readonly timestamp: string }>>

/** Undefined if the file is invalid; it can be rebuilt from the decisions. */
export function parseHashIndex(text: string | undefined): HashIndex | undefined {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as HashIndex) : undefined
  } catch {
    return undefined
  }
}

export const formatHashIndex = (index: HashIndex): string => `${JSON.stringify(index, null, 2)}\n`
