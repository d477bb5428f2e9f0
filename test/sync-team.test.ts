import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runSeed } from './team/two-homes.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-team-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('two machines that edit one record apart', () => {
  test.each([1, 2])('agree on every byte once both have synced, and no edit is lost (seed %i)', async (seed) => {
    const { edits, crashes } = await runSeed(join(base, `seed-${seed}`), seed, 30)
    expect(edits).toBe(30)
    expect(crashes).toBeGreaterThan(0)
  })
})
