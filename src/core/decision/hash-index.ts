/** `.decision-hashes.json`: which texts are recorded already, by duplicate hash. */
export type HashIndex = Readonly<Record<string, { readonly decision_id: string; readonly timestamp: string }>>

/** Undefined when the file is not what it should be; it can be rebuilt from the decisions. */
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
