import { entry } from '../../operations/registry-entry.ts'

/** Operations of this room, in the order they are shown. */
export const EVALUATION_OPERATIONS = [
  entry('test_record', 'app', ['test record'], () => import('./test-record.ts').then((file) => file.testRecord)),
  entry('test_run', 'app', ['test'], () => import('./test-run.ts').then((file) => file.testRun)),
  entry('test_cases', 'app', ['test list', 'test cases'], () =>
    import('./test-cases.ts').then((file) => file.testCases),
  ),
  entry('test_runs', 'app', ['test runs'], () => import('./test-runs.ts').then((file) => file.testRuns)),
  entry('test_show', 'app', ['test show'], () => import('./test-show.ts').then((file) => file.testShow)),
  entry('test_report', 'app', ['test report'], () => import('./test-report.ts').then((file) => file.testReport)),
]
