/** Object from another program's log: every field must be checked before use. */
export type JsonObject = Readonly<Record<string, unknown>>

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Non-blank text; undefined for anything else. */
export function asWords(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asObjects(value: unknown): readonly JsonObject[] {
  return asList(value).filter((item): item is JsonObject => asObject(item) !== undefined)
}

/** Undefined when the text is not a JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
