/**
 * Measures how well `ken drift` separates decisions that the code no longer follows from other decisions: `node
 * eval/drift.ts`, on real repositories, with misses and false alarms.
 */
import { pathToFileURL } from 'node:url'
import { judgeRepositories } from './drift/judge.ts'
import { STRANGE } from './drift/strange.ts'
import { THIRD } from './drift/third.ts'
import { TUNED } from './drift/tuned.ts'
import type { Figure } from './suite.ts'

export interface DriftRow {
  readonly set: string
  /** Always `tuned`: the mistakes of every set were used for fixes. README lists the results of each first run. */
  readonly half: 'tuned'
  readonly drifts: number
  readonly found: number
  readonly harmless: number
  readonly alarms: number
  readonly mistakes: readonly string[]
}

export async function driftRows(): Promise<DriftRow[]> {
  const sets = [
    ['built repositories', TUNED],
    ['built repositories, second set', STRANGE],
    ['built repositories, third set', THIRD],
  ] as const
  const rows: DriftRow[] = []
  for (const [set, repositories] of sets) {
    const judged = await judgeRepositories(repositories)
    const drifts = judged.filter(({ decision }) => decision.wanted !== 'quiet')
    const harmless = judged.filter(({ decision }) => decision.wanted === 'quiet')
    rows.push({
      set,
      half: 'tuned',
      drifts: drifts.length,
      found: drifts.filter(({ isRight }) => isRight).length,
      harmless: harmless.length,
      alarms: harmless.filter(({ isRight }) => !isRight).length,
      mistakes: judged
        .filter(({ isRight }) => !isRight)
        .map(
          ({ repository, decision, found }) =>
            `${repository} D${decision.num} "${decision.title}": wanted ${decision.wanted} (${decision.why}), found ${found.map(({ kind, about }) => `${kind} ${about}`).join(', ') || 'nothing'}`,
        ),
    })
  }
  return rows
}

export const driftFigures = async (): Promise<Figure[]> =>
  (await driftRows()).flatMap(({ set, half, drifts, found, harmless, alarms }): Figure[] => {
    const at = { set, half }
    return [
      { ...at, measure: 'drifts found', value: found, of: drifts, better: 'higher' },
      { ...at, measure: 'false alarms', value: alarms, of: harmless, better: 'lower' },
    ]
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { set, half, drifts, found, harmless, alarms, mistakes } of await driftRows()) {
    console.log(`${set} (${half}): found ${found} of ${drifts}, false alarms ${alarms} of ${harmless}`)
    for (const mistake of mistakes) console.log(`  ${mistake}`)
  }
}
