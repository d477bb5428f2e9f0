import { escapeEntries } from './note-entries.ts'
import { ownerLine, type NoteOwner } from './note-owner.ts'

/** A note as written to a file: under a heading with its time, with its tags and owner. */
export function noteSource({
  time,
  tags,
  owner,
  content,
}: {
  /** ISO. */
  readonly time: string
  readonly tags: readonly string[]
  readonly owner: NoteOwner
  readonly content: string
}): string {
  const tagged = tags.length > 0 ? `tags: ${tags.join(', ')}\n` : ''
  return escapeEntries(`## ${time}\n\n${tagged}${ownerLine(owner)}\n${content.trim()}\n`)
}
