import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FLIPPED_KINDS, flipBytes } from '../test/flipped-bytes.ts'

// Changes 520 bytes of a real record, one at a time, and prints how many of them `verify` noticed. Exit code 1 when it
// missed one. Takes a seed.
const FLIPS = 520
const seed = Number(process.argv[2] ?? 8)
const folder = mkdtempSync(join(tmpdir(), 'ken-flips-'))
let noticed = 0
try {
  for (const mode of ['local', 'repo'] as const) {
    const tally = await flipBytes(join(folder, mode), { mode, flips: FLIPS / 2, seed })
    noticed += tally.noticed
    console.log(
      `${mode.padEnd(6)} ${tally.noticed} of ${tally.flips} noticed (${FLIPPED_KINDS.map((kind) => `${kind} ${tally.byKind[kind]}`).join(', ')})`,
    )
    for (const missed of tally.missed) console.log(`  missed: ${missed}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${noticed} of ${FLIPS} changed bytes noticed`)
process.exitCode = noticed === FLIPS ? 0 : 1
