/**
 * Damages the index in every known way and repeats the same queries: `npm run eval:pokes [-- --pokes 600 --seed 1]`.
 * Each poke begins with a sound index; the answers after it are compared with the answers before it. Fails on one wrong
 * answer or one failure.
 */
import { parseArgs } from 'node:util'
import { runPokes } from './pokes/run.ts'

const { values } = parseArgs({
  options: {
    pokes: { type: 'string', default: '240' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const tally = await runPokes({
  count: Number(values.pokes),
  seed: Number(values.seed),
  only: values.only,
  tell: (line) => console.log(line),
  progress: ({ times, healed, wrong, failed }) =>
    console.error(`${times} pokes: ${healed} healed, ${wrong} wrong, ${failed} failed`),
})
console.log(`\n| poke | times | healed | not noticed, no harm | wrong | failed |\n|---|---|---|---|---|---|`)
for (const [name, one] of tally.byName)
  console.log(`| ${name} | ${one.times} | ${one.healed} | ${one.harmless} | ${one.wrong} | ${one.failed} |`)
console.log(
  `\n${tally.total.times} pokes: ${tally.total.healed} healed, ${tally.total.harmless} did no harm, ${tally.total.wrong} wrong answers, ${tally.total.failed} failures.`,
)
process.exitCode = tally.total.wrong + tally.total.failed === 0 ? 0 : 1
