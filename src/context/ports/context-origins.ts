import type { Subscription } from '../../kernel/ports/sql-database.ts'
import type { GitPlace } from '../domain/context-project/git-place.ts'
import type { TreeFault } from '../domain/context-project/judge-tree.ts'
import type { GitTree, TreeFile } from './git-trees.ts'

/** Origin of a project's context, as an admin set it. */
export interface ContextOrigin extends GitPlace {
  /** Id of this setting; data fetched under a setting that was replaced is discarded. */
  readonly id: string
  /** Minutes between checks; undefined if it is only checked on request. */
  readonly every: number | undefined
  /** Sealed. */
  readonly credential: Uint8Array | undefined
  readonly setBy: string
  readonly setAt: string
}

export interface KeptOrigin extends ContextOrigin {
  /** Webhook secret, sealed. */
  readonly hook: Uint8Array | undefined
  /** Result of the last check; undefined before the first. */
  readonly looked: ContextLook | undefined
  /** Active version: the last valid one. */
  readonly taken: TakenContext | undefined
}

export interface ContextLook {
  readonly at: string
  /** Undefined if the check did not get that far. */
  readonly commit: string | undefined
  readonly faults: readonly TreeFault[]
}

export interface TakenContext {
  /** Hash of paths and bytes. */
  readonly version: string
  readonly commit: string
  readonly at: string
  readonly files: number
  readonly bytes: number
  readonly left: GitTree['left']
}

/** Origins of project contexts. */
export interface ContextOrigins {
  find(project: string): Promise<KeptOrigin | undefined>
  /** Replaces the previous one; the active version and the webhook stay. */
  set(project: string, origin: ContextOrigin): Promise<void>
  /** Removes the origin and everything fetched from it. Returns false if there was none. */
  remove(project: string): Promise<boolean>
  /** False if there is no origin. */
  setHook(project: string, hook: Uint8Array): Promise<boolean>
  /**
   * Sealed secret that verifies a push notification, and the branch it must be about. Undefined for an archived
   * project.
   */
  hooked(project: string): Promise<{ readonly hook: Uint8Array; readonly branch: string } | undefined>
  /** Does nothing if the setting was replaced. */
  looked(project: string, id: string, look: ContextLook): Promise<void>
  /** Unarchived projects that are due for a check, the longest overdue first. */
  due(now: string, most: number): Promise<readonly string[]>
}

/** Contents of contexts: the active version and the one before it. */
export interface ContextVersions {
  /** Active version. */
  current(project: string): Promise<string | undefined>
  /** Activates a version atomically. False if the setting was replaced. */
  take(
    project: string,
    id: string,
    version: Pick<TakenContext, 'version' | 'commit' | 'at' | 'left'> & { readonly files: readonly TreeFile[] },
  ): Promise<boolean>
  /** Files in batches by path; none for a deleted version. */
  files(project: string, version: string): AsyncIterable<readonly TreeFile[]>
  /** Notifies of each project with a new version; undefined if a notification may have been missed. */
  listen(heard: (project: string | undefined) => void): Promise<Subscription>
}
