import { judgeProposals, type Judged } from '../src/core/user-memory/judge-proposals.ts'
import type { MemoryProposals } from '../src/core/user-memory/proposal.ts'
import { proposeByRule } from '../src/core/user-memory/propose-by-rule.ts'
import { eagerExtractor } from './memory/extractors.ts'
import { countCases, readSpokenCases, SPOKEN_KINDS, type SpokenCase } from './memory/read-cases.ts'
import { openRealExtractor } from './memory/real-model.ts'
import { scoreCase } from './memory/score.ts'

/** What of what users say is kept, by each way to find it; nothing is kept that the judge does not let through. */
type Extractor = (one: SpokenCase) => MemoryProposals | Promise<MemoryProposals>

const cases = readSpokenCases()
console.log(`${countCases()} cases, ${cases.length} of them about what is said; half of those are kept back by a hash.`)

const systems: [string, Extractor][] = [
  ['everything proposed, the judge decides', eagerExtractor],
  ['rules, without a model', (one) => proposeByRule(one.messages.slice(-1), one.holding)],
]
const real = await openRealExtractor()
if ('reason' in real) console.log(`No real model was asked: ${real.reason}`)
else systems.push([real.name, real.extract])

const LEAST_PRECISION = 0.9

let isMissed = false
for (const [name, extract] of systems) {
  console.log(`\n${name}`)
  const outcomes: { readonly one: SpokenCase; readonly judged: Judged }[] = []
  for (const one of cases) {
    const proposals = one.messages.length === 0 ? { items: [], forget: [] } : await extract(one)
    outcomes.push({ one, judged: judgeProposals(proposals, one) })
  }
  for (const half of ['tuned', 'kept back'] as const) {
    for (const kind of [...SPOKEN_KINDS, 'all'] as const) {
      const own = outcomes.filter(({ one }) => one.half === half && (kind === 'all' || one.kind === kind))
      const scores = own.map(({ one, judged }) => ({ one, ...scoreCase(one, judged) }))
      const sum = (of: (score: (typeof scores)[number]) => number) =>
        scores.reduce((total, score) => total + of(score), 0)
      const [right, wrong, missed] = [sum((s) => s.right), sum((s) => s.wrong.length), sum((s) => s.missed.length)]
      if (kind === 'all' && right / (right + wrong) < LEAST_PRECISION) isMissed = true
      console.log(
        `  ${half.padEnd(9)} ${kind.padEnd(10)} ${String(own.length).padStart(3)} cases  precision ${share(right, right + wrong)}  recall ${share(right, right + missed)}  (${right} right, ${wrong} wrong, ${missed} missed)`,
      )
      if (kind !== 'all' && process.argv.includes(`--show=${half.replace(' ', '-')}`))
        for (const { one, wrong: bad, missed: lost } of scores)
          for (const line of [...bad.map((text) => `wrong  ${text}`), ...lost.map((text) => `missed ${text}`)])
            console.log(`      ${one.name}\n        ${line}`)
    }
  }
}
if ('close' in real) await real.close()
console.log(`\nWanted: at most one in ten of what is kept is wrong, in both halves, whoever proposes.`)
process.exitCode = isMissed ? 1 : 0

function share(part: number, whole: number): string {
  return whole === 0 ? '   –  ' : `${((part / whole) * 100).toFixed(1).padStart(5)} %`
}
