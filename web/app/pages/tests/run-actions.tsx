import { Button } from '../../kit/button.tsx'
import { DownloadMenu } from './download-menu.tsx'
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
