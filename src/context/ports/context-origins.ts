import type { Subscription } from '../../kernel/ports/sql-database.ts'
import type { GitPlace } from '../domain/context-project/git-place.ts'
import type { TreeFault } from '../domain/context-project/judge-tree.ts'
import type { GitTree, TreeFile } from './git-trees.ts'

/** From where the context of a project comes, as an admin set it. */
export interface ContextOrigin extends GitPlace {
  /** Of this setting: what was fetched by one that is no more is not taken. */
  readonly id: string
  /** Minutes; undefined where nobody looks unless told. */
  readonly every: number | undefined
  /** Sealed. */
  readonly credential: Uint8Array | undefined
  readonly setBy: string
  readonly setAt: string
}

export interface KeptOrigin extends ContextOrigin {
  /** The secret of its webhook, sealed. */
  readonly hook: Uint8Array | undefined
  /** What became of the last look; none before the first. */
  readonly looked: ContextLook | undefined
  /** What is in use: the last that was good. */
  readonly taken: TakenContext | undefined
}

export interface ContextLook {
  readonly at: string
  /** Undefined where it did not come to that. */
  readonly commit: string | undefined
  readonly faults: readonly TreeFault[]
}

export interface TakenContext {
  /** A hash of paths and bytes. */
  readonly version: string
  readonly commit: string
  readonly at: string
  readonly files: number
  readonly bytes: number
  readonly left: GitTree['left']
}

/** Where contexts of projects come from. */
export interface ContextOrigins {
  find(project: string): Promise<KeptOrigin | undefined>
  /** In place of the one before; what is in use, and the webhook, stay. */
  set(project: string, origin: ContextOrigin): Promise<void>
  /** With everything that came from there. False where there was none. */
  remove(project: string): Promise<boolean>
  /** False where there is none. */
  setHook(project: string, hook: Uint8Array): Promise<boolean>
  /** What word of a push is proved with, sealed, and the branch it must be about. None for an archived project. */
  hooked(project: string): Promise<{ readonly hook: Uint8Array; readonly branch: string } | undefined>
  /** Does nothing where the setting is no more. */
  looked(project: string, id: string, look: ContextLook): Promise<void>
  /** Projects, not archived, that nobody looked at for as long as they want, the longest first. */
  due(now: string, most: number): Promise<readonly string[]>
}

/** What contexts hold: the version in use, and the one before it. */
export interface ContextVersions {
  /** The one in use. */
  current(project: string): Promise<string | undefined>
  /** All of it or nothing; from then on it is in use. False where the setting is no more. */
  take(
    project: string,
    id: string,
    version: Pick<TakenContext, 'version' | 'commit' | 'at' | 'left'> & { readonly files: readonly TreeFile[] },
  ): Promise<boolean>
  /** By path, a few at a time; none of a version that is gone. */
  files(project: string, version: string): AsyncIterable<readonly TreeFile[]>
  /** Hears which project has another version, and undefined when something may have been missed. */
  listen(heard: (project: string | undefined) => void): Promise<Subscription>
}
