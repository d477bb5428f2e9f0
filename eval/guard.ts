/**
 * Measures how well `ken guard` separates changes that reintroduce something rejected or replaced from others: `node
 * eval/guard.ts`, on real repositories. Cases at even positions are held out; failures of the other cases are printed,
 * and with `--all` also failures of held-out cases.
 */
import { type GuardSet, judgeCases } from './guard-cases.ts'
import { foundAndAlarms, tellReturns } from './returns.ts'
import type { Figure } from './suite.ts'

const SETS: readonly (readonly [set: GuardSet, name: string])[] = [
  ['changes', 'labelled changes'],
  ['services', 'vendors and services'],
]

export async function guardFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [set, name] of SETS) figures.push(...foundAndAlarms(name, await judgeCases(set)))
  return figures
}

if (import.meta.main)
  for (const [set, name] of SETS) {
    console.log(name)
    const judged = await judgeCases(set)
    tellReturns(judged)
    for (const { title, found, isRight, isUntouched } of judged)
      if (!isRight && (!isUntouched || process.argv.includes('--all')))
        console.log(`  ${title}: found ${found.join(', ') || 'nothing'}`)
  }
