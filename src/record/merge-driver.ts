import { mergeDriverLine } from '../kernel/domain/shell-word.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import type { ProjectRef } from '../kernel/ports/projects.ts'
import type { RecordNeeds } from './ports/record-needs.ts'

const DRIVER = 'merge.ken.driver'

export const DRIVER_MISSING =
  'git joins the record as plain text in this clone: `ken init` sets up Ken’s merge driver, which keeps numbers and questions apart.'

/** Lets git merge two branches that both changed the record; see docs/guides/in-repo.md. */
export async function registerMergeDriver(ctx: Call & RecordNeeds & MachineNeeds): Promise<void> {
  const repository = await ctx.repository()
  await repository?.configure('merge.ken.name', 'Ken record')
  await repository?.configure(DRIVER, mergeDriverLine(ctx.launcher))
}

/** Whether git can merge a record that it contains. Empty if it contains none. */
export async function mergeDriverState(
  ctx: Call & RecordNeeds,
  { mode }: Pick<ProjectRef, 'mode'>,
): Promise<{ merge_driver?: 'ready' | 'missing' }> {
  const repository = mode === 'repo' ? await ctx.repository() : undefined
  if (repository === undefined) return {}
  return { merge_driver: (await repository.setting(DRIVER)) === undefined ? 'missing' : 'ready' }
}

/** Runs with the first command in a clone: prompts before setup at a terminal, and elsewhere only prints a notice. */
export async function offerMergeDriver(
  ctx: Call & RecordNeeds & MachineNeeds,
  project: Pick<ProjectRef, 'mode'>,
  say: (line: string) => void,
): Promise<void> {
  if ((await mergeDriverState(ctx, project)).merge_driver !== 'missing') return
  if (ctx.confirm === undefined) say(DRIVER_MISSING)
  else if (await ctx.confirm(`${DRIVER_MISSING}\nSet it up now?`)) await registerMergeDriver(ctx)
}
