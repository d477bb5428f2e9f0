import { agentsMdBody, agentsMdChange } from '../core/client/agents-md.ts'
import { findBlock } from '../core/client/managed-block.ts'
import type { Store } from '../ports/store.ts'
import type { Context } from './context.ts'
import { contextOf } from './record-context.ts'

/**
 * After a change to the record: brings the block up to date in every AGENTS.md that has one. Files that git tracks stay as they
 * are until `ken agents-md --allow-tracked` is run, and whatever goes wrong here must not undo or hide that the change was made.
 * A record that came with a clone does not get into it before `ken trust`.
 */
export async function refreshAgentsMd(ctx: Context, store: Store): Promise<void> {
  if (store.project.fromClone === true) return
  try {
    const project = (await ctx.projects.list()).find((p) => p.id === store.project.id)
    for (const root of project?.repositories ?? []) {
      if (findBlock((await ctx.files.read(`${root}/AGENTS.md`)) ?? '') === undefined) continue
      const change = agentsMdChange(root, agentsMdBody(store.project, await contextOf(store, 'L0')))
      await ctx.clients.apply(await ctx.clients.plan([change], { mode: 'add', allowTracked: false }))
    }
  } catch {
    // The block only repeats what get_context says.
  }
}
