import { useEffect, useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isOffered, isTeam } from '../../api/server.ts'
import { sourceTrouble } from '../../frame/notices/source-trouble.ts'
import { Page } from '../../frame/page.tsx'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { keep, kept } from '../../kit/kept-text.ts'
import { Skeleton } from '../../kit/skeleton.tsx'
import { FirstRun } from './first-run.tsx'
import { Health } from './health.tsx'
import { InboxLines } from './inbox-lines.tsx'
import { visitAt, type Visit } from './last-visit.ts'
import { NewsLines, NEWS_SHOWN } from './news-lines.tsx'
import { QuestionLines } from './question-lines.tsx'
import { SetUpResult } from './set-up/set-up-result.tsx'
import { SetUp } from './set-up/set-up.tsx'
import { useShownSetUp } from './set-up/shown-set-up.ts'
import { SourceLines } from './source-lines.tsx'
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

/**
 * Whether nothing was added yet: no record, or one with only its initial decision, and nothing else. Sessions and chats
 * do not count without a record: agents may have worked in a folder that was never set up.
 */
const isFirstRun = ({ record, context, sessions, chats, inbox }: Calls['overview']['output']): boolean => {
  if (context !== undefined || inbox > 0) return false
  return record === undefined || (record.decisions <= 1 && record.questions + sessions + chats === 0)
}

/** Whether nothing is new or pending. Uses the queries of the lists, so there are no extra requests. */
function useIsQuiet({ record, context, inbox }: Calls['overview']['output'], since: string): boolean {
  const news = useAnswer('news', { since, limit: NEWS_SHOWN })
  const sources = useAnswer('source_list', {}, { enabled: context !== undefined })
  const isChecked = record !== undefined && isOffered('doctor')
  const doctor = useAnswer('doctor', {}, { enabled: isChecked })
  const waits = inbox + (record?.questions ?? 0) + (record?.proposals ?? 0)
  if (waits > 0 || news.data?.total !== 0) return false
  if (isChecked && doctor.data?.clean !== true) return false
  const now = Date.now()
  return context === undefined || (sources.data?.sources.every((one) => sourceTrouble(one, now) === undefined) ?? false)
}

const VISIT_EVERY_MS = 60_000

/** The current visit, stored in this browser. Use it in a component keyed by the project. */
function useLastVisit(project: string): Visit {
  const key = `ken.visit.${project}`
  const [visit] = useState(() => visitAt(Date.now(), kept(key)))
  useEffect(() => {
    const see = (): void => keep(key, JSON.stringify({ ...visit, seen: new Date().toISOString() }))
    const seeWhenVisible = (): void => {
      if (document.visibilityState === 'visible') see()
    }
    see()
    const timer = setInterval(seeWhenVisible, VISIT_EVERY_MS)
    return () => clearInterval(timer)
  }, [key, visit])
  return visit
}
