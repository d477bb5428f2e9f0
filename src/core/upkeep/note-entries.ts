export interface NoteEntry {
  /** Offsets of the entry in the file, heading included. */
  readonly start: number
  readonly end: number
  readonly heading: string
  readonly text: string
}

// The time at which a note was written, as its heading.
const HEADING = /^## (\d{4}-\d\d-\d\dT\S+)[ \t]*$/gm

/** The notes of a file of notes; what stands before the first heading is one as well. */
export function noteEntries(text: string): NoteEntry[] {
  const starts = [...text.matchAll(HEADING)].map((match) => ({ at: match.index, heading: match[1]! }))
  const first = starts[0]?.at ?? text.length
  const lead = text.slice(0, first).trim() === '' ? [] : [{ at: 0, heading: '' }]
  const all = [...lead, ...starts]
  return all.map(({ at, heading }, i) => {
    const end = all[i + 1]?.at ?? text.length
    return { start: at, end, heading, text: text.slice(at, end) }
  })
}

/** The file without some of its notes; empty when nothing but space is left. */
export function withoutEntries(text: string, gone: (entry: NoteEntry) => boolean): string {
  const kept = noteEntries(text).filter((entry) => !gone(entry))
  return kept.length === 0 ? '' : kept.map((entry) => entry.text).join('')
}
