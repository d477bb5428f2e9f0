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

/** Text typed in this tab, or otherwise the last typed in this browser. */
export function keptTyped(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? kept(key)
  } catch {
    return kept(key)
  }
}

/**
 * Stores typed text, so that neither a reload nor another tab with the same field replaces it; undefined removes it, and
 * keeps what another tab has typed since.
 */
export function keepTyped(key: string, text: string | undefined): void {
  const before = keptTyped(key)
  try {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Storage is full or disabled.
  }
  if (text !== undefined || kept(key) === before) keep(key, text)
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
