import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FaultReport } from '../crash/fault-sweep.ts'

test('the writer gets the true outcome at any step a full, forbidden or broken disk fails a change', () => {
  const report = JSON.parse(
    execFileSync(process.execPath, [join(import.meta.dirname, '..', 'crash', 'fault-sweep.ts')], { encoding: 'utf8' }),
  ) as FaultReport
  expect(report.lies).toEqual([])
  expect(report.faults).toBeGreaterThan(1_000)
})
