import { Link, useNavigate } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Page } from '../../frame/page.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Split } from '../../kit/split.tsx'
import { CasePane } from './case-pane.tsx'
import { runRoute, type RunSearch } from './routes.ts'
import { RunActions } from './run-actions.tsx'
import { RunBar } from './run-bar.tsx'
import { RunCases } from './run-cases.tsx'
import { RunSummary } from './run-summary.tsx'
import { whenOf } from './run-words.ts'
import { useRunningTests } from './running-tests.ts'
import styles from './tests-page.module.css'

/** One run: its cases, those that did not pass first, and the open one. */
export const RunPage = () => {
  const project = useProject()
  const { run: named } = runRoute.useParams()
  const search = runRoute.useSearch()
  const navigate = useNavigate()
  const { start } = useRunningTests()
  const shown = useAnswer(
    'test_show',
    {
      run: named,
      brief: true,
      all: true,
      limit: 1000,
      ...(search.baseline !== undefined && { baseline: search.baseline }),
    },
    { keep: true },
  )
  const look = (next: RunSearch, replace = false): void =>
    void navigate({ to: '/$project/tests/run/$run', params: { project, run: named }, search: next, replace })
  const back = (): void => void navigate({ to: '/$project/tests', params: { project } })
  const close = (): void => {
    const { case: _case, model: _model, try: _try, ...rest } = search
    look(rest)
  }
  useKeys([
    {
      keys: 'escape',
      does: search.case === undefined ? 'Back to the tests' : 'Close the case',
      group: 'Test run',
      run: search.case === undefined ? back : close,
    },
  ])
  const { data } = shown
  return (
    <Page
      title={data === undefined ? 'Test run' : `Run of ${whenOf(data.run.started_at)}`}
      layout="fill"
      about={
        <Link to="/$project/tests" params={{ project }}>
          All runs
        </Link>
      }
      actions={data && <RunActions run={data.run.id} baseline={search.baseline} cases={data.cases} />}
    >
      <div className={styles.page}>
        <RunBar />
        {shown.isError && <FaultNote fault={shown.error} again={() => void shown.refetch()} />}
        {shown.isPending && <Skeleton rows={8} label="Loading the run" />}
        {data && (
          <div className={styles.strip}>
            <Split
              name="test-run"
              listLabel="Cases in this run"
              list={<RunCases shown={data} search={search} look={look} />}
              detail={
                search.case !== undefined && (
                  <CasePane
                    key={`${search.case} ${search.model ?? ''}`}
                    run={data.run}
                    search={search}
                    look={look}
                    onRun={(wanted) => start(wanted)}
                  />
                )
              }
              empty={<RunSummary shown={data} search={search} look={look} />}
              onBack={close}
            />
          </div>
        )}
      </div>
    </Page>
  )
}
