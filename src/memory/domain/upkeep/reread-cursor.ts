/**
 * A cursor from which a harvester reads everything once more and still knows what only earlier harvests could tell, e.g.
 * what a session was copied from that is gone by now. Undefined, which reads all as well, where it cannot be marked.
 */
export function rereadCursor(cursor: string | undefined): string | undefined {
  try {
    const written: unknown = JSON.parse(cursor ?? '')
    return typeof written === 'object' && written !== null ? JSON.stringify({ ...written, again: true }) : undefined
  } catch {
    return undefined
  }
}
