/**
 * What a document of a team's memory is called on this machine. Ids and paths of the two never meet: what begins like
 * this is asked of the team and looked up nowhere else, and nothing else is asked of it.
 */
export const teamDocument = (name: string): string => `team:${name}`

/** What the team itself calls such a document; undefined for a name of this machine. */
export function readTeamDocument(text: string): string | undefined {
  const plain = text.trim().replace(/^(["'`<])([^]*)["'`>]$/, '$2')
  return /^#?team:\s*([^]*)$/i.exec(plain.trim())?.[1]
}
