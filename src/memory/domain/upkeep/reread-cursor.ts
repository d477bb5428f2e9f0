/**
 * Cursor from which a harvester reads everything again but keeps facts that only earlier harvests could find, e.g. the
 * deleted original of a copied session. Undefined, which also reads everything, if it cannot be marked.
 */
export function rereadCursor(cursor: string | undefined): string | undefined {
  try {
    const written: unknown = JSON.parse(cursor ?? '')
    return typeof written === 'object' && written !== null ? JSON.stringify({ ...written, again: true }) : undefined
  } catch {
    return undefined
  }
}
