import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killWriters } from './crash/kill-writers.ts'
import { seededChance } from './crash/seeded-chance.ts'

test(
  'killing a writer 50 times while 4 others write loses no acknowledged write, and the record verifies',
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ken-crash-'))
    const report = await killWriters(folder, 50, seededChance(20260301))
    expect(report.faults).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(50)
    rmSync(folder, { recursive: true, force: true })
  },
)
