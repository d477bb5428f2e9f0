import type { JudgedReach } from '../../context/domain/context-project/reach.ts'
import type { ContextOrigins } from '../../context/ports/context-origins.ts'
import type { GitTrees } from '../../context/ports/git-trees.ts'
import type { Seals } from '../../kernel/ports/seals.ts'

/** Manages the contexts of projects on a team server. */
export interface TeamContexts {
  readonly origins: ContextOrigins
  readonly trees: Pick<GitTrees, 'assertAllowed'>
  /** Undefined if the server has no key, and so stores no secrets. */
  readonly seals: Seals | undefined
  /** Schedules a pull on any replica. */
  pullSoon(project: string): Promise<void>
  /** The active context's reach beyond its files, and whether the server allows it. */
  reach(project: string): Promise<readonly JudgedReach[]>
}
