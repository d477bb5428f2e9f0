import { expect, test } from 'vitest'
import { runPokes } from '../eval/pokes/run.ts'

test('after 60 faults the index recovers or is unharmed every time, and no result is wrong', async () => {
  const told: string[] = []
  const { total } = await runPokes({ count: 60, seed: 8, tell: (line) => told.push(line) })
  expect(told).toEqual([])
  expect(total).toMatchObject({ times: 60, wrong: 0, failed: 0 })
  expect(total.healed).toBeGreaterThan(40)
})
