/**
 * The local name of a team memory document. It never collides with a local document: names with this prefix are looked
 * up only in the team's memory, and other names never are.
 */
export const teamDocument = (name: string): string => `team:${name}`

/** The name of the document in the team's memory; undefined for a local document. */
export function readTeamDocument(text: string): string | undefined {
  const plain = text.trim().replace(/^(["'`<])([^]*)["'`>]$/, '$2')
  return /^#?team:\s*([^]*)$/i.exec(plain.trim())?.[1]
}
