import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useAnswer, useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { NoProject } from '../../frame/no-project.tsx'
import { Page } from '../../frame/page.tsx'
import { Button } from '../../kit/button.tsx'
import { CodeText } from '../../kit/data/code-text.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { BrokenCases } from './broken-cases.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { given, testsRoute, type SearchPart } from './routes.ts'
import { RunBar } from './run-bar.tsx'
import { RunDialog } from './run-dialog.tsx'
import { brokenWords, passedWords, whenOf } from './run-words.ts'
import { useRunningTests } from './running-tests.ts'
import { StripPane } from './strip-pane.tsx'
import { stripRows } from './strip-rows.ts'
import type { RunRow } from './strip.tsx'
import styles from './tests-page.module.css'

export const TestsPage = () => {
  const project = useProject()
  const search = testsRoute.useSearch()
  const navigate = useNavigate()
  const { running, start } = useRunningTests()
  const cases = useAnswer('test_cases', {})
  const runs = useAnswer('test_runs', { limit: 200, cases: true })
  const rows = useMemo(() => stripRows(cases.data, runs.data), [cases.data, runs.data])
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [isChoosing, setChoosing] = useState(false)
  const words = useRef<HTMLInputElement>(null)
  const look = (part: SearchPart): void =>
    void navigate({ to: '/$project/tests', params: { project }, search: given({ ...search, ...part }), replace: true })
  useKeys([
    { keys: '/', does: 'Search cases', group: 'Test runs', run: () => words.current?.focus() },
    { keys: 'r', does: 'Run tests', group: 'Test runs', run: () => setChoosing(true) },
    { keys: 'n', does: 'Record a case', group: 'Test runs', run: () => look({ record: 'last' }) },
  ])
  const fault = cases.error ?? runs.error
  const isLoading = rows.length === 0 && (cases.isPending || runs.isPending)
  const isEmpty = cases.data !== undefined && runs.data !== undefined && rows.length === 0
  if (cases.error?.code === 'not_found')
    return (
      <Page title="Tests">
        <NoProject things="Test cases and their runs" />
      </Page>
    )
  return (
    <Page
      title="Tests"
      layout="fill"
      about={<About cases={cases.data?.cases.length} last={runs.data?.runs[0]} />}
      actions={
        <>
          <Button icon="plus" onClick={() => look({ record: 'last' })}>
            Record a case
          </Button>
          {!isEmpty && (
            <Button look="primary" icon="play" busy={running.state === 'running'} onClick={() => setChoosing(true)}>
              {checked.size === 0 ? 'Run tests' : `Run ${checked.size} selected`}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.page}>
        <RunBar />
        {cases.data && <BrokenCases {...cases.data} />}
        {fault && <FaultNote fault={fault} again={() => void Promise.all([cases.refetch(), runs.refetch()])} />}
        {!fault && isLoading && <Skeleton rows={8} label="Loading the tests" />}
        {isEmpty && <NoTests folder={cases.data.folder} onRecord={() => look({ record: 'last' })} />}
        {rows.length > 0 && (
          <StripPane
            ref={words}
            rows={rows}
            runs={runs.data?.runs ?? []}
            search={search}
            look={look}
            checked={checked}
            onCheck={setChecked}
          />
        )}
      </div>
      <RunDialog
        open={isChoosing}
        onClose={() => setChoosing(false)}
        chosen={[...checked]}
        hasRuns={(runs.data?.runs ?? []).length > 0}
        onRun={(wanted) => {
          setChoosing(false)
          start(wanted)
        }}
      />
      {(search.record ?? search.feedback) !== undefined && (
        <RecordDialog
          chat={search.record}
          feedback={search.feedback}
          onClose={() => {
            const { record: _record, feedback: _feedback, ...rest } = search
            void navigate({ to: '/$project/tests', params: { project }, search: rest, replace: true })
          }}
        />
      )}
    </Page>
  )
}

const About = ({ cases, last }: { cases: number | undefined; last: RunRow | undefined }) => {
  if (cases === undefined) return null
  const many = `${cases} ${cases === 1 ? 'case' : 'cases'}`
  return (
    <>
      {last === undefined
        ? many
        : `${many} · ${passedWords(last.total)}${brokenWords(last.total)} on ${whenOf(last.started_at)}`}
    </>
  )
}

/** Empty state without cases: an example, and how to create the first. */
const NoTests = ({ folder, onRecord }: { folder: string; onRecord: () => void }) => (
  <EmptyState
    title={`Test cases appear here. A case is a question with its expected result, in ${folder}/. Record the first one.`}
    example={<CodeText language="yaml" text={EXAMPLE} />}
    action={
      <Button look="primary" icon="plus" onClick={onRecord}>
        Record one from a chat
      </Button>
    }
    command="ken test record"
  />
)

const EXAMPLE = `- name: revenue of march
  kind: sql
  prompt: What was our revenue in March?
  sql: SELECT sum(amount) AS revenue FROM orders WHERE month = '2026-03'
  tables: [orders]`
