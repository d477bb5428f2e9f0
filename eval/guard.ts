/**
 * How well `ken guard` tells changes that bring back something rejected or replaced from those that do not: `node
 * eval/guard.ts`, on real repositories. Cases at even places were not looked at while the rules were made; failures of
 * the others are printed, with `--all` those as well.
 */
import { judgeCases, readCases } from './guard-cases.ts'
import { foundAndAlarms, tellReturns } from './returns.ts'
import type { Figure } from './suite.ts'

export const guardFigures = async (): Promise<Figure[]> =>
  foundAndAlarms('labelled changes', await judgeCases(readCases()))

if (import.meta.main) {
  const judged = await judgeCases(readCases())
  tellReturns(judged)
  for (const { title, found, isRight, isUntouched } of judged)
    if (!isRight && (!isUntouched || process.argv.includes('--all')))
      console.log(`  ${title}: found ${found.join(', ') || 'nothing'}`)
}
