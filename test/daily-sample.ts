import { seededChance } from './crash/seeded-chance.ts'

/**
 * A sample of many cases, chosen daily and printed, so that a week of runs covers them all. The nightly run uses every
 * case (`KEN_TEST_ALL=1`); `KEN_TEST_SEED` repeats the choice of another day.
 */
export function dailySample<Case>(what: string, cases: readonly Case[], count: number): readonly Case[] {
  if (process.env['KEN_TEST_ALL'] === '1' || cases.length <= count) return cases
  const seed = Number(process.env['KEN_TEST_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''))
  const chance = seededChance(seed)
  const chosen = new Set(
    cases
      .map((_, at) => ({ at, order: chance() }))
      .sort((one, other) => one.order - other.order)
      .slice(0, count)
      .map(({ at }) => at),
  )
  process.stdout.write(`${what}: ${count} of ${cases.length}, KEN_TEST_SEED=${seed}\n`)
  return cases.filter((_, at) => chosen.has(at))
}
