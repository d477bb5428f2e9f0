import type { Share, Withdrawn } from '../../memory/ports/shared-documents.ts'

/** A session or note being sent. */
export interface SentText {
  readonly name: string
  readonly origin: 'session' | 'note'
  readonly tags: readonly string[]
  readonly modified: number
  readonly text: string
}

/**
 * A team server's project, as the target of sharing. Throws `unavailable` when it cannot be reached in time, otherwise
 * the server's own error.
 */
export interface SharingServer {
  /** The share of a workspace, created if missing. */
  open(workspace: { readonly workspace: string; readonly name: string }): Promise<Share>
  /** The contents of the share: hashes by name. */
  held(share: string): Promise<ReadonlyMap<string, string>>
  /** Atomic: all texts are stored or none. */
  send(share: string, texts: readonly SentText[]): Promise<void>
  remove(share: string, names: readonly string[]): Promise<void>
  /** Marks the upload as complete. */
  finish(share: string): Promise<void>
  /** Deletes the share and everything in it. */
  withdraw(share: string): Promise<Withdrawn>
  /** The shares of all people. */
  list(): Promise<readonly (Share & { readonly own: boolean })[]>
}

/** A share of this machine, as stored locally. */
export interface OwnShare {
  /** The folder that names the workspace. */
  readonly root: string
  readonly server: string
  readonly project: string
  readonly share: string
  readonly sharedAt: string
  /** When everything was last sent. */
  readonly sentAt: string | undefined
  readonly documents: number
}

export interface Sharing {
  /** Opens one project of one server; throws `forbidden` if the user is not logged in there. */
  server(server: string, project: string): Promise<SharingServer>
  own(): readonly OwnShare[]
  /** Replaces an earlier share of the same workspace, server and project. */
  remember(share: OwnShare): void
  forget(share: Pick<OwnShare, 'root' | 'server' | 'project'>): void
}
