import type { JudgedReach } from '../../context/domain/context-project/reach.ts'
import type { ContextOrigins } from '../../context/ports/context-origins.ts'
import type { GitTrees } from '../../context/ports/git-trees.ts'
import type { Seals } from '../../kernel/ports/seals.ts'

/** What a call on a team server looks after the contexts of projects with. */
export interface TeamContexts {
  readonly origins: ContextOrigins
  readonly trees: Pick<GitTrees, 'assertAllowed'>
  /** Undefined where the server has no key, and so keeps no secret. */
  readonly seals: Seals | undefined
  /** Some replica pulls soon. */
  pullSoon(project: string): Promise<void>
  /** What the context in use reaches beyond its files, and whether the server lets it. */
  reach(project: string): Promise<readonly JudgedReach[]>
}
