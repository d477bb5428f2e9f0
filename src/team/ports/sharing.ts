import type { Share, Withdrawn } from '../../memory/ports/shared-documents.ts'

/** A session or note on its way. */
export interface SentText {
  readonly name: string
  readonly origin: 'session' | 'note'
  readonly tags: readonly string[]
  readonly modified: number
  readonly text: string
}

/**
 * A project of a team server, as somebody gives to it. Throws `unavailable` when it cannot be reached in time, and what
 * the server says otherwise.
 */
export interface SharingServer {
  /** The share of a workspace, made where there is none yet. */
  open(workspace: { readonly workspace: string; readonly name: string }): Promise<Share>
  /** What the share has: the hash of each by its name. */
  held(share: string): Promise<ReadonlyMap<string, string>>
  /** All of them land or none. */
  send(share: string, texts: readonly SentText[]): Promise<void>
  /** Takes some names out. */
  remove(share: string, names: readonly string[]): Promise<void>
  /** All of it has come. */
  finish(share: string): Promise<void>
  /** Takes everything out, and the share itself. */
  withdraw(share: string): Promise<Withdrawn>
  /** Those of everybody. */
  list(): Promise<readonly (Share & { readonly own: boolean })[]>
}

/** What this machine shares, as it remembers it. */
export interface OwnShare {
  /** The folder that names the workspace. */
  readonly root: string
  readonly server: string
  readonly project: string
  readonly share: string
  readonly sharedAt: string
  /** When all of it had been sent the last time. */
  readonly sentAt: string | undefined
  readonly documents: number
}

export interface Sharing {
  /** Names one project of one server; throws `forbidden` where the user is not logged in there. */
  server(server: string, project: string): Promise<SharingServer>
  own(): readonly OwnShare[]
  /** Stands for an earlier one of the same workspace, server and project. */
  remember(share: OwnShare): void
  forget(share: Pick<OwnShare, 'root' | 'server' | 'project'>): void
}
