/** Value that this browser stores under a key; undefined if there is none. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Stores a value; undefined removes it. If storage is full or disabled, the value only lasts while the page is open.
 */
export function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Storage is full or disabled.
  }
}

/** Parses stored JSON; undefined if it is invalid. */
export function readKept(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Fields of a stored object, untrusted because another page or version may have written it; empty if there are none.
 */
export function keptFields(text: string | undefined): Readonly<Record<string, unknown>> {
  const read = readKept(text)
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
}
