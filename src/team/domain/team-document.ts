/**
 * The name of a team memory document on this machine. Names of the two never collide: this prefix is looked up only in
 * the team's memory, and nothing else is.
 */
export const teamDocument = (name: string): string => `team:${name}`

/** The team's own name of such a document; undefined for a name of this machine. */
export function readTeamDocument(text: string): string | undefined {
  const plain = text.trim().replace(/^(["'`<])([^]*)["'`>]$/, '$2')
  return /^#?team:\s*([^]*)$/i.exec(plain.trim())?.[1]
}
