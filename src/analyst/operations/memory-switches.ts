import type { Context } from '../../operations/context.ts'

/** Whether the user's memories are learned and used here: depends on the user's settings and the project's ken.yaml. */
export async function memorySwitches(
  ctx: Pick<Context, 'settings' | 'contextProject'>,
): Promise<{ readonly learns: boolean; readonly uses: boolean }> {
  const isOn = (name: string): boolean => ctx.settings.get(name).value !== false
  const [learns, uses] = [isOn('memory.learn'), isOn('memory.use')]
  if (!learns && !uses) return { learns, uses }
  // A missing or unreadable context project does not affect memories.
  const project = await ctx.contextProject().catch(() => undefined)
  return project?.config.memory === false ? { learns: false, uses: false } : { learns, uses }
}
