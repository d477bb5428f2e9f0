import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FLIPPED_KINDS, flipBytes } from '../test/flipped-bytes.ts'
import type { Figure } from './suite.ts'

// Changes 520 bytes of a real record, one at a time, and prints how many `verify` detected. Exits with 1 if it missed
// one. Takes a seed.
const FLIPS = 520
const SEED = 8

export const flipFigures = async (): Promise<Figure[]> =>
  (await flipAll(SEED)).map(({ mode, noticed, flips }) => ({
    set: mode === 'repo' ? 'record in a repository' : 'record at home',
    half: 'all',
    measure: 'changed bytes noticed by `ken verify`',
    value: noticed,
    of: flips,
    better: 'higher',
  }))

if (import.meta.main) {
  const tallies = await flipAll(Number(process.argv[2] ?? SEED))
  for (const { mode, noticed, flips, byKind, missed } of tallies) {
    console.log(
      `${mode.padEnd(6)} ${noticed} of ${flips} noticed (${FLIPPED_KINDS.map((kind) => `${kind} ${byKind[kind]}`).join(', ')})`,
    )
    for (const one of missed) console.log(`  missed: ${one}`)
  }
  const noticed = tallies.reduce((sum, tally) => sum + tally.noticed, 0)
  console.log(`${noticed} of ${FLIPS} changed bytes noticed`)
  process.exitCode = noticed === FLIPS ? 0 : 1
}

async function flipAll(seed: number) {
  const folder = mkdtempSync(join(tmpdir(), 'ken-flips-'))
  try {
    const tallies = []
    for (const mode of ['local', 'repo'] as const)
      tallies.push({ mode, ...(await flipBytes(join(folder, mode), { mode, flips: FLIPS / 2, seed })) })
    return tallies
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
