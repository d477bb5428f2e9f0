import { GLOBAL, workspaceHash } from '../../../kernel/domain/workspace.ts'
import type { DocumentFacts } from '../../../retrieval/domain/ranking/indexed-document.ts'

/** Whose a note is: everybody's, a project's, or that of a folder which belongs to no project. */
export type NoteOwner =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly id: string; readonly name: string }
  | { readonly kind: 'folder'; readonly path: string }

export const EVERYBODY: NoteOwner = { kind: 'global' }

/** The line that says it, under the heading of the note. */
export function ownerLine(owner: NoteOwner): string {
  if (owner.kind === 'global') return 'scope: global'
  if (owner.kind === 'folder') return `scope: ${owner.path}`
  return `scope: project ${owner.name.replace(/\s+/g, ' ').trim()} (${owner.id})`
}

/** Undefined for any other line: `scope: the payment service` is what somebody noted. */
export function readOwnerLine(line: string): NoteOwner | undefined {
  const said = /^scope:[ \t]*(\S.*?)[ \t]*$/i.exec(line)?.[1]
  if (said === undefined) return undefined
  if (/^global$/i.test(said)) return EVERYBODY
  const [, name, id] = /^project (?:(.*) )?\(?([0-9A-HJKMNP-TV-Z]{26})\)?$/i.exec(said) ?? []
  if (id !== undefined) return { kind: 'project', id: id.toUpperCase(), name: name ?? '' }
  return /^(?:\/|[A-Za-z]:[\\/])/.test(said) ? { kind: 'folder', path: said } : undefined
}

/** Where the index puts it. Notes from before there was such a line are everybody's. */
export function placeOfOwner(owner: NoteOwner | undefined): Pick<DocumentFacts, 'workspace' | 'project'> {
  if (owner === undefined || owner.kind === 'global') return { workspace: GLOBAL, project: undefined }
  if (owner.kind === 'folder') return { workspace: workspaceHash(owner.path), project: undefined }
  // Scopes let it through by its project; the workspace only has to be none of a folder.
  return { workspace: workspaceHash(owner.id), project: owner.id }
}
