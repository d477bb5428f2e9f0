/**
 * How well `ken guard` tells changes that bring back something rejected or replaced from those that do not: `node
 * eval/guard.ts`, on real repositories. Cases at even places were not looked at while the rules were made; failures of
 * the others are printed, with `--all` those as well.
 */
import { judgeCases, readCases } from './guard-cases.ts'

const judged = await judgeCases(readCases())
for (const half of ['tuned', 'untouched'] as const) {
  const part = judged.filter(({ isUntouched }) => isUntouched === (half === 'untouched'))
  const returns = part.filter(({ wanted }) => wanted !== undefined)
  const others = part.filter(({ wanted }) => wanted === undefined)
  const told = returns.filter(({ isRight }) => isRight).length
  const alarms = others.filter(({ isRight }) => !isRight).length
  console.log(`${half.padEnd(10)} found ${told} of ${returns.length}, false alarms ${alarms} of ${others.length}`)
}
for (const { title, found, isRight, isUntouched } of judged)
  if (!isRight && (!isUntouched || process.argv.includes('--all')))
    console.log(`  ${title}: found ${found.join(', ') || 'nothing'}`)
