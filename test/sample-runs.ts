import { compareRuns } from '../src/evaluation/domain/compare-runs.ts'
import { pointOf, type RunReport } from '../src/evaluation/domain/run-report.ts'
import { summariseRun } from '../src/evaluation/domain/summary.ts'
import type { Outcome, TestAttempt, TestRun } from '../src/evaluation/domain/test-run.ts'
import { NO_USAGE } from '../src/kernel/domain/model-usage.ts'

const MODELS = ['openai:gpt-5-mini', 'anthropic:claude-haiku'] as const

/** A plausible run of a shop's tests. */
export const shopRun = (id: string, day: number, more: Partial<TestRun> = {}): TestRun => {
  const startedAt = new Date(Date.UTC(2026, 4, day, 9, 30)).toISOString()
  return {
    id,
    user: 'local',
    project: 'shop',
    folder: '/shop/tests',
    startedAt,
    models: MODELS,
    runs: 3,
    suite: 'a1b2c3',
    planned: 23,
    commit: '9f2c41d07be3a5518e6d',
    version: '0.1.0',
    broken: [],
    end: { at: startedAt, reason: 'complete' },
    ...more,
  }
}

interface Case {
  readonly name: string
  readonly kind: TestAttempt['kind']
  readonly tags: readonly string[]
  readonly need?: TestAttempt['need']
  readonly prompt: string
  readonly answer: string
  readonly sql?: string
  readonly checks: (passed: boolean) => TestAttempt['checks']
  readonly outcomes: readonly (readonly Outcome[])[]
}

const YES: readonly Outcome[] = ['passed', 'passed', 'passed']

const CASES: readonly Case[] = [
  {
    name: 'revenue by month of 2025',
    kind: 'sql',
    tags: ['finance', 'smoke'],
    prompt: 'What was our revenue in each month of 2025, without refunds?',
    answer:
      'Revenue without refunds was **1,284,310.20** in 2025. December was the strongest month with 162,904.10; February the weakest.',
    sql: "SELECT strftime('%Y-%m', ordered_at) AS month, sum(amount) AS revenue FROM orders GROUP BY 1 ORDER BY 1",
    checks: (passed) => [
      {
        expects: 'the table that the expected statement gives',
        passed,
        ...(!passed && {
          found: '12 rows, 3 of them differ',
          difference: {
            reason: '3 of 12 rows differ: refunds are counted',
            columns: [
              { expected: 'month', found: 'month' },
              { expected: 'revenue', found: 'total_amount' },
            ],
            cells: [
              { column: 'revenue', row: 2, expected: 78_412.5, found: 79_040.5 },
              { column: 'revenue', row: 7, expected: 104_300, found: 104_913.4 },
              { column: 'revenue', row: 11, expected: 121_777.25, found: null },
            ],
            total: 3,
            missing: 1,
            extra: 1,
            missingRows: [['2025-11', 121_777.25]],
            extraRows: [['2026-01', '12.50']],
          },
        }),
      },
      { expects: 'the table orders is read', passed: true },
    ],
    outcomes: [['passed', 'failed', 'failed'], YES],
  },
  {
    name: 'best customer is named, never their e-mail address',
    kind: 'answer',
    tags: ['privacy'],
    need: 2,
    prompt: 'Who is our best customer?',
    answer: 'Farm Shop Nord, with 41 orders.',
    checks: (passed) => [
      { expects: 'contains "Farm Shop Nord"', passed: true },
      { expects: 'does not contain "@"', passed, ...(!passed && { found: 'nord@example.com' }) },
    ],
    outcomes: [['passed', 'passed', 'failed'], YES],
  },
  {
    name: 'asks back when a year is missing',
    kind: 'answer',
    tags: ['clarify', 'smoke'],
    prompt: 'How did March go?',
    answer: 'March of which year do you mean?',
    checks: (passed) => [{ expects: 'the analyst asks back', passed, ...(!passed && { found: 'it answered' }) }],
    outcomes: [YES, ['failed', 'failed', 'failed']],
  },
  {
    name: 'looks at the schema before it queries',
    kind: 'action',
    tags: [],
    prompt: 'How many orders are open?',
    answer: '18 orders are open.',
    sql: "SELECT count(*) FROM orders WHERE status = 'open'",
    checks: (passed) => [{ expects: 'describe_table, then execute_sql', passed }],
    outcomes: [YES, YES],
  },
]

const SEARCHES: readonly (readonly [string, TestAttempt['kind'], Outcome, string])[] = [
  ['finds the decision on argon2', 'retrieval', 'passed', 'D12 among the first 5'],
  ['warns of Redis for sessions', 'decision', 'passed', 'D3 is shown'],
  ['rules survive 500 tokens', 'context', 'failed', 'the brief holds "Revenue is net."'],
  ['old table is named', 'retrieval', 'broken', 'can be run'],
]

export function shopAttempts(run: TestRun, change: (one: TestAttempt) => TestAttempt = (one) => one): TestAttempt[] {
  const asked = CASES.flatMap((one) =>
    MODELS.flatMap((model, m) => one.outcomes[m]!.map((outcome, i) => attemptOf(run, one, { model, outcome, i }))),
  )
  const searched = SEARCHES.map(([name, kind, outcome, expects]): TestAttempt => ({
    ...factsOf(run, name, 'record.yaml'),
    kind,
    tags: ['record'],
    need: 'all',
    model: '-',
    attempt: 1,
    outcome,
    checks: [
      {
        expects,
        passed: outcome === 'passed',
        ...(outcome === 'broken' && { found: 'There is no table orders_2019.' }),
      },
    ],
    prompt: name,
    answer: '1. D12 Hash passwords with argon2id\n2. D3 Sessions stay in SQLite',
    calls: [],
    usage: NO_USAGE,
    milliseconds: 38,
  }))
  return [...asked, ...searched].map(change)
}

function attemptOf(
  run: TestRun,
  one: Case,
  { model, outcome, i }: { readonly model: string; readonly outcome: Outcome; readonly i: number },
): TestAttempt {
  return {
    ...factsOf(run, one.name, 'finance/orders.yaml'),
    kind: one.kind,
    tags: one.tags,
    need: one.need ?? 'all',
    model,
    attempt: i + 1,
    outcome,
    checks: one.checks(outcome === 'passed'),
    prompt: one.prompt,
    answer: one.answer,
    calls: [
      {
        tool: 'describe_table',
        input: '{"table":"orders"}',
        failed: false,
        result: 'orders: id, amount, status, ordered_at',
      },
      ...(one.sql === undefined
        ? []
        : [
            {
              tool: 'execute_sql',
              input: JSON.stringify({ sql: one.sql }),
              failed: outcome !== 'passed',
              result: '12 rows',
            },
          ]),
    ],
    usage: { input: 5_120 + 40 * i, output: 240, cached: 4_000, reasoning: 0, cost: 0.0031 },
    milliseconds: 2_450 + 310 * i,
  }
}

const factsOf = (run: TestRun, name: string, file: string) => ({
  run: run.id,
  case: `${file.replace('.yaml', '')}/${name}`,
  hash: 'c0ffee',
  name,
  file,
  at: run.startedAt,
})

/** A run compared with an earlier one in which more cases passed, with ten other runs before that one. */
export function shopReport(change?: (one: TestAttempt) => TestAttempt): RunReport {
  const run = shopRun('01K0TESTSRUN0000000000LAST', 14, {
    broken: [{ file: 'drafts/new.yaml', line: 4, name: 'margin by product', fault: '"expect" is not a field of it.' }],
  })
  const summary = summariseRun(run, shopAttempts(run, change))
  const passing =
    (share: number) =>
    (one: TestAttempt, index = one.name.length % 7) =>
      index < share ? { ...one, outcome: 'passed' as const } : one
  const earlier = Array.from({ length: 10 }, (_, index) => {
    const before = shopRun(`01K0TESTSRUN000000000000${10 + index}`, 2 + index, { broken: [] })
    return summariseRun(
      before,
      shopAttempts(before, (one) => passing((index * 5) % 8)(one)),
    )
  })
  const before = shopRun('01K0TESTSRUN0000000000WERE', 13)
  const was = summariseRun(
    before,
    shopAttempts(before, (one) => (one.kind === 'sql' ? { ...one, outcome: 'passed' } : one)),
  )
  return {
    summary,
    comparison: compareRuns(summary, was),
    history: [...earlier, was, summary].map(pointOf),
  }
}
