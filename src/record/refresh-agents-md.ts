import { isBelow } from '../kernel/domain/below-folder.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import { agentsMdBody, agentsMdChange, carriesCopy } from '../setup/domain/agents-md.ts'
import type { SetupNeeds } from '../setup/ports/setup-needs.ts'
import type { Store } from './ports/store.ts'
import { readContext } from './read-context.ts'

/**
 * After a change to the record: updates the block in every AGENTS.md that has a copy of the page. Files tracked by git
 * are unchanged until `ken agents-md --allow-tracked` is run, and a failure here must not undo or hide the change. A
 * record that came with a clone is not written before `ken trust`.
 */
export async function refreshAgentsMd(ctx: Call & Partial<MachineNeeds & SetupNeeds>, store: Store): Promise<void> {
  const { files, clients } = ctx
  if (store.project.fromClone === true || files === undefined || clients === undefined) return
  try {
    for (const root of await repositoriesOf(ctx, store)) {
      if (!carriesCopy((await files.read(`${root}/AGENTS.md`)) ?? '')) continue
      const change = agentsMdChange(root, agentsMdBody(store.project, await readContext(store, 'L0')))
      await clients.apply(await clients.plan([change], { mode: 'add', allowTracked: false }))
    }
  } catch {
    // Failures are ignored: the block only repeats get_context.
  }
}

/**
 * The repositories of exactly this record: a clone that claims the id of another project must not write into that
 * project's files.
 */
async function repositoriesOf(ctx: Call, { project }: Store): Promise<readonly string[]> {
  if (project.fromClone === true) return []
  const known = (await ctx.projects.list()).find((p) => p.id === project.id)
  return (known?.repositories ?? []).filter((root) => project.mode !== 'repo' || isBelow(project.location, root))
}
