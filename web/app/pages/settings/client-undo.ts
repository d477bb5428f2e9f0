import { call, type Calls } from '../../api/call.ts'

export type SetupWanted = Calls['setup']['input']

/** The setup as it is now, so that an undo can write it again. */
export async function wholeSetup(project: string, { client, scope }: SetupWanted): Promise<SetupWanted> {
  const isThere = async (part: Partial<SetupWanted>): Promise<boolean> => {
    const { clients } = await call(project, 'setup', { client, scope, ...part, dry_run: true })
    return clients.every(
      ({ files, problem }) => problem === undefined && files.every(({ change }) => change === 'unchanged'),
    )
  }
  return {
    client,
    scope,
    with_hooks: await isThere({ with_hooks: true }),
    with_skills: await isThere({ with_skills: true }),
  }
}

/**
 * Undoes a setup or a removal: removes exactly the bytes that Ken wrote, and restores the previous setup if there was
 * one.
 */
export async function undoOf(project: string, { client, scope, remove }: SetupWanted, before: SetupWanted | undefined) {
  if (remove !== true) await call(project, 'setup', { client, scope, remove: true })
  if (before !== undefined) await call(project, 'setup', before)
}
