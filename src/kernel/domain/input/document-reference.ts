/** Document, optionally limited to some lines. */
export interface DocumentReference {
  readonly id: string
  readonly from?: number
  readonly lines?: number
}

/**
 * Parses `path:12-40`, the format in which hits print their location, `path:12`, `path#L12-L40`, and an id with a `#`
 * before it or in backticks. A path may itself contain a colon and digits, so the input is first looked up unchanged.
 */
export function readReference(text: string): DocumentReference {
  const plain = text
    .trim()
    .replace(/^(["'`<])([^]*)["'`>]$/, '$2')
    .trim()
  const id = /^#?([0-9a-f]{12})(?::(\d{1,9})(?:-(\d{1,9}))?)?$/i.exec(plain)
  const place = id ?? /^([^]+?)(?::|#)L?(\d{1,9})(?:[-–]L?(\d{1,9}))?(?: of \d{1,9})?$/.exec(plain)
  if (place === null) return { id: plain }
  const [, name, first, last] = place
  const named = id === null ? name! : name!.toLowerCase()
  if (first === undefined) return { id: named }
  const from = Math.max(1, Number(first))
  return { id: named, from, ...(last !== undefined && { lines: Math.max(1, Number(last) - from + 1) }) }
}
