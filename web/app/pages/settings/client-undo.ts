import { call, type Calls } from '../../api/call.ts'

export type SetupWanted = Calls['setup']['input']

/** The setup that would change nothing now: what has to be written again to have it back. */
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
 * Takes back a setup, or a removal: what Ken wrote goes away to the byte, and where it was set up before it is set up so
 * again.
 */
export async function undoOf(project: string, { client, scope, remove }: SetupWanted, before: SetupWanted | undefined) {
  if (remove !== true) await call(project, 'setup', { client, scope, remove: true })
  if (before !== undefined) await call(project, 'setup', before)
}
