import { call, type Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { download } from '../../kit/data/download.ts'
import { Menu } from '../../kit/menu.tsx'
import { showToast } from '../../kit/toast-store.ts'
import type { ShownRun } from './run-cases.tsx'
import { useRunningTests } from './running-tests.ts'

interface Props {
  readonly run: string
  readonly baseline: string | undefined
  readonly cases: ShownRun['cases']
}

export const RunActions = ({ run, baseline, cases }: Props) => {
  const { running, start } = useRunningTests()
  return (
    <>
      {cases.some(({ verdict }) => verdict !== 'passed') && (
        <Button
          icon="refresh"
          busy={running.state === 'running'}
          onClick={() => start({ failed_in: run, baseline: run })}
        >
          Rerun cases that did not pass
        </Button>
      )}
      <DownloadMenu run={run} baseline={baseline} />
    </>
  )
}

type Format = NonNullable<Calls['test_report']['input']['format']>

const FORMATS: readonly {
  readonly format: Format
  readonly label: string
  readonly ending: string
}[] = [
  { format: 'html', label: 'Web page (HTML)', ending: 'html' },
  { format: 'junit', label: 'For CI (JUnit XML)', ending: 'xml' },
  { format: 'json', label: 'Full report (JSON)', ending: 'json' },
  { format: 'markdown', label: 'For a pull request (Markdown)', ending: 'md' },
]

/** Downloads the report of a run. */
const DownloadMenu = ({ run, baseline }: { run: string; baseline: string | undefined }) => {
  const project = useProject()
  const save = async ({ format, ending }: (typeof FORMATS)[number]): Promise<void> => {
    try {
      const input = { run, format, ...(baseline !== undefined && { baseline }) }
      const { text = '' } = await call(project, 'test_report', input)
      download(text, `tests-${run.slice(0, 10)}.${ending}`)
    } catch (fault) {
      showToast({ text: fault instanceof Error ? fault.message : 'Can’t create the report.', tone: 'bad' })
    }
  }
  return (
    <Menu
      align="end"
      trigger={<Button icon="download">Report</Button>}
      entries={FORMATS.map((one) => ({ label: one.label, onSelect: () => void save(one) }))}
    />
  )
}
