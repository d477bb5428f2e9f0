import { Outlet, useMatchRoute, useNavigate, useSearch } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { Page } from '../../frame/page.tsx'
import { Split } from '../../kit/split.tsx'
import { ContextNav } from './context-nav.tsx'
import { NoContext } from './empty/no-context.tsx'
import { NoServedContext } from './empty/no-served-context.tsx'
import { InUse } from './in-use/in-use.tsx'
import { useFollowCommit } from './in-use/use-follow-commit.ts'
import { Overview } from './overview/overview.tsx'
import { FileTree } from './tree/file-tree-pane.tsx'
import styles from './context-page.module.css'

/** The tree of compiled files, and beside it the open item: a table, a file, the sources or one of the two texts. */
export const ContextPage = () => {
  const project = useProject()
  const navigate = useNavigate()
  const matches = useMatchRoute()
  const { find } = useSearch({ from: '/$project/context' })
  const { error } = useAnswer('context_files', {})
  useFollowCommit()
  if (error?.code === 'not_found') return isTeam() ? <NoServedContext /> : <NoContext />
  const isOverview = matches({ to: '/$project/context', params: { project } }) !== false
  return (
    <Page title="Context" layout="fill" views={<ContextNav />}>
      <Split
        name="context"
        listLabel="Context files"
        list={
          <div className={styles.side}>
            {isTeam() && (
              <div className={styles.whenNarrow}>
                <InUse />
              </div>
            )}
            <FileTree />
          </div>
        }
        detail={isOverview ? null : <Outlet />}
        empty={<Overview />}
        onBack={() =>
          void navigate({
            to: '/$project/context',
            params: { project },
            search: { ...(find !== undefined && { find }) },
          })
        }
      />
    </Page>
  )
}
