import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FLIPPED_KINDS, flipBytes } from './flipped-bytes.ts'

const FLIPS = 520
const base = mkdtempSync(join(tmpdir(), 'ken-flips-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('verify detects every one of 520 changed bytes, in any file of the record', { timeout: 180_000 }, async () => {
  const missed: string[] = []
  for (const mode of ['local', 'repo'] as const) {
    const tally = await flipBytes(join(base, mode), { mode, flips: FLIPS / 2, seed: 8 })
    missed.push(...tally.missed)
    expect(FLIPPED_KINDS.filter((kind) => tally.byKind[kind] === 0)).toEqual([])
  }
  expect(missed).toEqual([])
})
