import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FaultReport } from './crash/fault-sweep.ts'

test('the writer reports the true outcome at any step the disk fails: recorded, not recorded or pending', () => {
  const report = JSON.parse(
    execFileSync(process.execPath, [join(import.meta.dirname, 'crash', 'fault-sweep.ts'), '11', 'EIO'], {
      encoding: 'utf8',
    }),
  ) as FaultReport
  expect(report.lies).toEqual([])
  expect([report.faults > 20, report.told.yes > 0, report.told.no > 0, report.told.later > 0]).toEqual([
    true,
    true,
    true,
    true,
  ])
}, 240_000)
