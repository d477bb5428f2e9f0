import { join } from 'node:path'
import type { Projects } from '../kernel/ports/projects.ts'
import type { UpkeepParts } from '../memory/ports/upkeep-parts.ts'
import { HARVESTERS } from './providers.ts'

/**
 * Opens the dependencies of harvest and upkeep, with a function to close them. Loaded separately: most commands never
 * harvest.
 */
export async function openUpkeep({
  home,
  userHome,
  projects,
  ...shared
}: Pick<UpkeepParts, 'home' | 'userHome' | 'workspaces' | 'uses'> & { projects: Projects }): Promise<
  UpkeepParts & { close(): Promise<void> }
> {
  const [harvesters, state, sessions, space, lease, watch, posts, redact, homeFiles] = await Promise.all([
    Promise.all(HARVESTERS.map((harvester) => harvester.load())),
    import('../database/state/sqlite/index.ts'),
    import('../memory/adapters/files-sessions.ts'),
    import('../memory/index/sqlite/space.ts'),
    import('../kernel/lease/sqlite/index.ts'),
    import('../kernel/watch/directories.ts'),
    import('../memory/adapters/files-watch-post.ts'),
    import('../kernel/domain/secrets/redact.ts'),
    import('../kernel/home/index.ts'),
  ])
  const watchLease = lease.openLease(join(home, '.watch-lease.db'))
  const parts: UpkeepParts = {
    home,
    notesFolder: join(home, 'memory'),
    userHome,
    repositories: async () => [...new Set((await projects.list()).flatMap(({ repositories }) => repositories))].sort(),
    harvesters,
    archive: sessions.openSessionFiles({ root: join(home, 'sessions') }),
    state: state.openSqliteState(join(home, 'state.db')),
    homeFiles: homeFiles.openHomeFiles(home),
    redactor: redact.secretRedactor,
    space: space.openIndexSpace(join(home, 'index.db')),
    watcher: watch.openDocumentWatcher(),
    sessionWatcher: watch.openSessionWatcher(),
    ...shared,
    lease: lease.openLease(join(home, '.harvest-lease.db')),
    maintainer: lease.openLease(join(home, '.upkeep-lease.db')),
    post: posts.openWatchPost({ lease: watchLease, path: join(home, 'watch.json') }),
  }
  return {
    ...parts,
    async close() {
      parts.lease.close()
      parts.maintainer.close()
      watchLease.close()
      await parts.state.close()
    },
  }
}
