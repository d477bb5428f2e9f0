/** What this browser keeps under a name; undefined where it keeps nothing. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Nothing forgets it. A browser that is full, or keeps nothing, has it for as long as the page is open. */
export function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // As said above.
  }
}

/** A text that was kept as JSON; undefined where it is none. */
export function readKept(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Its fields, of which another page, or an older one, may have written any; none where it has none. */
export function keptFields(text: string | undefined): Readonly<Record<string, unknown>> {
  const read = readKept(text)
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
}
