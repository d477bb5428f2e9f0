import { isBelow } from '../kernel/domain/below-folder.ts'
import { agentsMdBody, agentsMdChange, carriesCopy } from '../setup/domain/agents-md.ts'
import type { RecordContext } from './ports/record-context.ts'
import type { Store } from './ports/store.ts'
import { readContext } from './read-context.ts'

/**
 * After a change to the record: brings the block up to date in every AGENTS.md where it carries a copy of the page. Files
 * that git tracks stay as they are until `ken agents-md --allow-tracked` is run, and whatever goes wrong here must not undo or hide that the
 * change was made. A record that came with a clone does not get into it before `ken trust`.
 */
export async function refreshAgentsMd(ctx: RecordContext, store: Store): Promise<void> {
  if (store.project.fromClone === true) return
  try {
    for (const root of await repositoriesOf(ctx, store)) {
      if (!carriesCopy((await ctx.files.read(`${root}/AGENTS.md`)) ?? '')) continue
      const change = agentsMdChange(root, agentsMdBody(store.project, await readContext(store, 'L0')))
      await ctx.clients.apply(await ctx.clients.plan([change], { mode: 'add', allowTracked: false }))
    }
  } catch {
    // The block only repeats what get_context says.
  }
}

/**
 * The repositories that read this very record: a clone that claims the id of another project must not write into that
 * project's files.
 */
async function repositoriesOf(ctx: RecordContext, { project }: Store): Promise<readonly string[]> {
  if (project.fromClone === true) return []
  const known = (await ctx.projects.list()).find((p) => p.id === project.id)
  return (known?.repositories ?? []).filter((root) => project.mode !== 'repo' || isBelow(project.location, root))
}
