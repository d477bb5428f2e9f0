import { seededChance } from './crash/seeded-chance.ts'

/**
 * A sample of many cases, chosen daily and printed, so that a week of runs covers all cases. The nightly run uses every
 * case (`KEN_TEST_ALL=1`); `KEN_TEST_SEED` repeats the choice of another day.
 */
export function dailySample<Case>(what: string, cases: readonly Case[], count: number): readonly Case[] {
  if (process.env['KEN_TEST_ALL'] === '1' || cases.length <= count) return cases
  const seed = seedOfToday()
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

/** The part of many cases that is due today; all of them are within as many days. */
export function turnOfToday<Case>(what: string, cases: readonly Case[], days: number): readonly Case[] {
  const seed = seedOfToday()
  const day = Math.floor(
    Date.UTC(Math.floor(seed / 10_000), (Math.floor(seed / 100) % 100) - 1, seed % 100) / 86_400_000,
  )
  const chosen = cases.filter((_, at) => at % days === day % days)
  process.stdout.write(`${what}: ${chosen.length} of ${cases.length}, KEN_TEST_SEED=${seed}\n`)
  return chosen
}

/** Digits of the date: 20261117. */
const seedOfToday = (): number =>
  Number(process.env['KEN_TEST_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''))
