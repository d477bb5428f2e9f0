/** A YAML value as JSON can hold it. An anchor may point at what it stands in; such a circle ends in null. */
export function plainValue(value: unknown, above: readonly unknown[] = []): unknown {
  if (above.includes(value) && typeof value === 'object') return null
  if (Array.isArray(value)) return value.map((item) => plainValue(item, [...above, value]))
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), plainValue(item, [...above, value])]))
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}
