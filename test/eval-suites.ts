import type { Figure, Suite } from '../eval/suite.ts'

// Suites that fail in every possible way, next to one that does not; run by test/eval-baselines.test.ts.

const FIGURE: Figure = { set: 's', half: 'all', measure: 'm', value: 1, of: 2, better: 'higher' }
const suite = (name: string, run: Suite['run']): Suite => ({ name, about: name, takes: 'seconds', run })

export const SUITES: readonly Suite[] = [
  suite('good', async ({ data, leaveOut }) => {
    leaveOut('other', `no engine for ${data ?? 'nothing'}`)
    return [FIGURE]
  }),
  suite('throwing', async () => {
    throw new Error('the set is gone')
  }),
  suite('leaving', async () => process.exit(0)),
  suite('crashing', async () => process.abort()),
  suite('hanging', () => new Promise(() => setInterval(() => {}, 1_000))),
  suite('empty', async () => []),
]
