import type { Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isOffered, isTeam } from '../../api/server.ts'
import { Page } from '../../frame/page.tsx'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { FirstRun } from './first-run.tsx'
import { Health } from './health.tsx'
import { InboxLines } from './inbox-lines.tsx'
import { isFirstRun } from './is-first-run.ts'
import { NewsLines } from './news-lines.tsx'
import { QuestionLines } from './question-lines.tsx'
import { SetUpResult } from './set-up/set-up-result.tsx'
import { SetUp } from './set-up/set-up.tsx'
import { useShownSetUp } from './set-up/shown-set-up.ts'
import { SourceLines } from './source-lines.tsx'
import { useIsQuiet } from './use-is-quiet.ts'
import { useLastVisit } from './use-last-visit.ts'
import styles from './home-page.module.css'

const EVERY_MS = 30_000

/** Start page of a returning reader: news and pending items. */
export const HomePage = () => {
  const project = useProject()
  const { data, error, refetch } = useAnswer('overview', {}, { every: EVERY_MS })
  const isFirst = data !== undefined && isFirstRun(data)
  const [isSetUpShown, showSetUp] = useShownSetUp()
  const setUp = useLongMutation('start')
  // Its record exists before the set-up ends.
  const isSettingUp = data !== undefined && !isTeam() && (data.record === undefined ? isFirst : setUp.isBusy)
  return (
    <Page title="Home" layout={isFirst || isSettingUp ? 'column' : 'wide'}>
      {error !== null && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={8} />}
      {data?.record !== undefined && isSetUpShown && !setUp.isBusy && <SetUpResult onClose={() => showSetUp(false)} />}
      {data !== undefined &&
        (isFirst || isSettingUp ? (
          <FirstRun isSettingUp={isSettingUp}>
            <SetUp deed={setUp} onStart={() => showSetUp(true)} />
          </FirstRun>
        ) : (
          <Lists key={project} overview={data} />
        ))}
    </Page>
  )
}

const Lists = ({ overview }: { overview: Calls['overview']['output'] }) => {
  const visit = useLastVisit(useProject())
  const isQuiet = useIsQuiet(overview, visit.since)
  if (isQuiet) return <p className={styles.quiet}>Nothing new since your last visit, and nothing to review.</p>
  return (
    <div className={styles.lists}>
      <div className={styles.side}>
        <NewsLines visit={visit} />
        {overview.record !== undefined && <QuestionLines />}
      </div>
      <div className={styles.side}>
        <InboxLines proposals={overview.record?.proposals ?? 0} conflicts={overview.record?.conflicts ?? 0} />
        {overview.context !== undefined && <SourceLines />}
        {overview.record !== undefined && isOffered('doctor') && <Health />}
      </div>
    </div>
  )
}
