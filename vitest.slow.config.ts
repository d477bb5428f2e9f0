import { defineConfig } from 'vitest/config'
import { turnOfToday } from './test/daily-sample.ts'
import { TimesReporter } from './test/times-reporter.ts'

/** Suites that measure memory or time, or use every core; run one after the other, after all other suites. */
const ALONE = [
  'test/bombs.slow.test.ts',
  'test/engine-bounds.slow.test.ts',
  'test/hook-load.slow.test.ts',
  'test/slow/cluster.test.ts',
  'test/slow/failover.test.ts',
  'test/slow/rolling-upgrade.test.ts',
  'test/soak.slow.test.ts',
]

const BROWSERS = ['test/slow/**/*.browser.test.ts']

/**
 * Long suites that guard neither data nor access: on a push an eighth of them runs, another one each day, and every
 * night all of them. A manual run of the slow suites runs them all.
 */
const IN_TURNS = [
  'src/kernel/system/git-openings.slow.test.ts',
  'test/agent-clients-stand-in.slow.test.ts',
  'test/analyst/ask-terminal.slow.test.ts',
  'test/analyst/ask-transcripts.slow.test.ts',
  'test/analyst/charts.slow.test.ts',
  'test/analyst/feedback.slow.test.ts',
  'test/as-of-store.slow.test.ts',
  'test/at-a-terminal.slow.test.ts',
  'test/bulk-embed.slow.test.ts',
  'test/bulk-index.slow.test.ts',
  'test/byte-flips.slow.test.ts',
  'test/charts.slow.test.ts',
  'test/code-graph.slow.test.ts',
  'test/company.slow.test.ts',
  'test/context/examples.slow.test.ts',
  'test/context/freshness.slow.test.ts',
  'test/context/joins.slow.test.ts',
  'test/context/metabase-faults.slow.test.ts',
  'test/context/not-held.slow.test.ts',
  'test/context/profiling-budget.slow.test.ts',
  'test/context/reading.slow.test.ts',
  'test/context/source-add.slow.test.ts',
  'test/context/sql-at-a-desk.slow.test.ts',
  'test/context/summary.slow.test.ts',
  'test/context/sync-summary.slow.test.ts',
  'test/context/sync-watch.slow.test.ts',
  'test/context/values.slow.test.ts',
  'test/drift-eval.slow.test.ts',
  'test/drift.slow.test.ts',
  'test/embedders.slow.test.ts',
  'test/evaluation/hidden-tests.slow.test.ts',
  'test/evaluation/kinds.slow.test.ts',
  'test/evaluation/runner.slow.test.ts',
  'test/evaluation/test-record.slow.test.ts',
  'test/evaluation/test-run-served.slow.test.ts',
  'test/evaluation/test-transcripts.slow.test.ts',
  'test/extending.slow.test.ts',
  'test/fresh.slow.test.ts',
  'test/github-action.slow.test.ts',
  'test/harvest-editors.slow.test.ts',
  'test/harvesters.slow.test.ts',
  'test/hostile-models.slow.test.ts',
  'test/http-projects.slow.test.ts',
  'test/index-pokes.slow.test.ts',
  'test/long-stories.slow.test.ts',
  'test/mail.slow.test.ts',
  'test/mcp-words.slow.test.ts',
  'test/neighbours.slow.test.ts',
  'test/parity.slow.test.ts',
  'test/reconnect.slow.test.ts',
  'test/session-workspaces.slow.test.ts',
  'test/setup.slow.test.ts',
  'test/slow/bounds.servers.test.ts',
  'test/slow/freshness.servers.test.ts',
  'test/slow/many-tables.test.ts',
  'test/slow/operators-day.test.ts',
  'test/slow/query-history.test.ts',
  'test/slow/refused-home.test.ts',
  'test/slow/restore-drill.test.ts',
  'test/slow/slack.test.ts',
  'test/slow/snapshots.test.ts',
  'test/slow/sync-team.test.ts',
  'test/slow/team-analyst.test.ts',
  'test/slow/team-search.test.ts',
  'test/slow/traces.test.ts',
  'test/slow/warehouse.mariadb.test.ts',
  'test/source-ports.slow.test.ts',
  'test/stories.slow.test.ts',
  'test/story-export.slow.test.ts',
  'test/team-search.slow.test.ts',
  'test/terminal-views.slow.test.ts',
  'test/transcripts.slow.test.ts',
  'test/upkeep.slow.test.ts',
  'test/warehouses.slow.test.ts',
  'test/watch-daemon.slow.test.ts',
  'test/worktrees.slow.test.ts',
]
/** Pages of the app; hostile text, the sign-in page and every page at a glance are tested on every push. */
const PAGES_IN_TURNS = [
  'test/slow/graph.browser.test.ts',
  'test/slow/test-report.browser.test.ts',
  ...[
    'ask',
    'context',
    'decisions',
    'frame',
    'home',
    'journeys',
    'large',
    'memory',
    'notices',
    'set-up',
    'settings',
    'sharing',
    'sql',
    'stories',
    'story-values',
    'team-context',
    'team-settings',
    'team',
    'tests',
    'typing',
  ].map((name) => `test/slow/web/${name}.browser.test.ts`),
]

const LATER =
  process.env['KEN_TEST_TURNS'] === '1'
    ? [...notToday('long suites', IN_TURNS, 8), ...notToday('pages', PAGES_IN_TURNS, 6)]
    : []

function notToday(what: string, suites: readonly string[], days: number): readonly string[] {
  const today = turnOfToday(what, suites, days)
  return suites.filter((suite) => !today.includes(suite))
}

const SUITE = {
  setupFiles: 'test/count-starts.ts',
  // Generous, because a busy machine is slow.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 900_000,
  hookTimeout: 300_000,
}

/** Suites that need a server, a browser or many processes. */
export default defineConfig({
  test: {
    globalSetup: 'test/run-setup.ts',
    reporters: ['default', new TimesReporter('slow')],
    // Suites wait for programs, servers and pages more than they compute.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          ...SUITE,
          // One process per file: starting a program from a process of a gigabyte takes ten times as long.
          name: 'processes',
          include: ['test/slow/**/*.test.ts', '{src,test,web}/**/*.slow.test.ts'],
          exclude: [...ALONE, ...BROWSERS, ...LATER, '**/*.nightly.test.ts', '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...SUITE,
          // The files of a worker share its browser.
          name: 'browsers',
          include: BROWSERS,
          exclude: [...LATER],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { ...SUITE, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
