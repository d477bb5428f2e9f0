import { GLOBAL, workspaceHash } from '../../../kernel/domain/workspace.ts'
import type { DocumentFacts } from '../../../retrieval/domain/ranking/indexed-document.ts'

/** Owner of a note: everybody, a project, or a folder outside any project. */
export type NoteOwner =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly id: string; readonly name: string }
  | { readonly kind: 'folder'; readonly path: string }

export const EVERYBODY: NoteOwner = { kind: 'global' }

/** The owner line under the heading of the note. */
export function ownerLine(owner: NoteOwner): string {
  if (owner.kind === 'global') return 'scope: global'
  if (owner.kind === 'folder') return `scope: ${owner.path}`
  return `scope: project ${owner.name.replace(/\s+/g, ' ').trim()} (${owner.id})`
}

/** Undefined for any other line: `scope: the payment service` is ordinary text. */
export function readOwnerLine(line: string): NoteOwner | undefined {
  const said = /^scope:[ \t]*(\S.*?)[ \t]*$/i.exec(line)?.[1]
  if (said === undefined) return undefined
  if (/^global$/i.test(said)) return EVERYBODY
  const [, name, id] = /^project (?:(.*) )?\(?([0-9A-HJKMNP-TV-Z]{26})\)?$/i.exec(said) ?? []
  if (id !== undefined) return { kind: 'project', id: id.toUpperCase(), name: name ?? '' }
  return /^(?:\/|[A-Za-z]:[\\/])/.test(said) ? { kind: 'folder', path: said } : undefined
}

/** Workspace and project in the index. Notes from before owner lines existed belong to everybody. */
export function placeOfOwner(owner: NoteOwner | undefined): Pick<DocumentFacts, 'workspace' | 'project'> {
  if (owner === undefined || owner.kind === 'global') return { workspace: GLOBAL, project: undefined }
  if (owner.kind === 'folder') return { workspace: workspaceHash(owner.path), project: undefined }
  // Scopes match the note by its project; the workspace only has to differ from that of any folder.
  return { workspace: workspaceHash(owner.id), project: owner.id }
}
