import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killWriters } from './kill-writers.ts'
import { seededChance } from './seeded-chance.ts'

test(
  'killing a writer 1,000 times while 4 others write loses no acknowledged write, and the record verifies',
  { timeout: 1_800_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ken-crash-'))
    const seed = Date.now()
    const report = await killWriters(folder, 1_000, seededChance(seed))
    console.log(
      `seed ${seed}: ${report.kills} kills, ${report.acknowledged} writes acknowledged, ${report.decisions} decisions, ${report.faults.length} faults`,
    )
    expect(report.faults).toEqual([])
    rmSync(folder, { recursive: true, force: true })
  },
)
