import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dailySample } from '../daily-sample.ts'
import { type Figures, runSeed } from '../team/two-homes.ts'

const SEEDS = dailySample(
  'seeds of two machines',
  Array.from({ length: 50 }, (_, at) => 101 + at),
  3,
)
const EDITS = 200

const base = mkdtempSync(join(tmpdir(), 'ken-team-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('two machines edit one record 200 times offline and agree after a sync, for every seed', async () => {
  const sum: Figures = { edits: 0, syncs: 0, crashes: 0, renumbered: 0, asked: 0, kept: 0 }
  const failed: string[] = []
  for (const seed of SEEDS) {
    const folder = join(base, String(seed))
    try {
      const figures = await runSeed(folder, seed, EDITS)
      for (const key of Object.keys(sum) as (keyof Figures)[]) sum[key] += figures[key]
    } catch (error) {
      failed.push(`seed ${seed}: ${String((error as Error).message).slice(0, 600)}`)
      process.stdout.write(`two homes: ${failed.at(-1)}\n`)
    }
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(
    `two homes: ${SEEDS.length} seeds, ${Object.entries(sum)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}\n`,
  )
  expect(failed).toEqual([])
}, 3_600_000)
