import { expect, test } from 'vitest'
import { shopAttempts, shopRun } from '../../../test/sample-runs.ts'
import { stripOfRuns } from './strip-of-runs.ts'
import { summariseRun } from './summary.ts'

test('a case missing in one of the runs has no verdict there', () => {
  const [newer, older] = [shopRun('B', 2), shopRun('A', 1)]
  const attempts = shopAttempts(older)
  const gone = attempts[0]!.case
  const strip = stripOfRuns([
    summariseRun(
      newer,
      shopAttempts(newer).filter((one) => one.case !== gone),
    ),
    summariseRun(older, attempts),
  ])
  const places = strip.cases.flatMap((one, at) => (one.case === gone ? [at] : []))
  expect(places.length).toBeGreaterThan(0)
  for (const at of places) {
    expect(strip.verdicts[0]![at]).toBeNull()
    expect(strip.verdicts[1]![at]).not.toBeNull()
  }
})
