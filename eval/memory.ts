import { judgeProposals, type Judged } from '../src/analyst/domain/user-memory/judge-proposals.ts'
import type { MemoryProposals } from '../src/analyst/domain/user-memory/proposal.ts'
import { proposeByRule } from '../src/analyst/domain/user-memory/propose-by-rule.ts'
import { eagerExtractor } from './memory/extractors.ts'
import { countCases, readSpokenCases, SPOKEN_KINDS, type SpokenCase } from './memory/read-cases.ts'
import { openRealExtractor } from './memory/real-model.ts'
import { scoreCase } from './memory/score.ts'
import { HALVES, type Figure } from './suite.ts'

/** Extracts memories from user messages; the judge then decides which are kept. */
type Extractor = (one: SpokenCase) => MemoryProposals | Promise<MemoryProposals>

interface Outcome {
  readonly one: SpokenCase
  readonly judged: Judged
}

const LEAST_PRECISION = 0.9
/** Both work without a model, so that their figures are the same everywhere. */
const SYSTEMS: readonly (readonly [string, Extractor])[] = [
  ['everything proposed, the judge decides', eagerExtractor],
  ['rules, without a model', (one) => proposeByRule(one.messages.slice(-1), one.holding)],
]

export async function memoryFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [set, extract] of SYSTEMS) {
    const outcomes = await judgeAll(readSpokenCases(), extract)
    for (const half of HALVES) {
      const { right, wrong, missed } = sumOf(outcomes, half, 'all')
      figures.push(
        { set, half, measure: 'right, of what is kept', value: right, of: right + wrong, better: 'higher' },
        { set, half, measure: 'kept, of what should be', value: right, of: right + missed, better: 'higher' },
        {
          set,
          half,
          measure: 'kept although others ordered it',
          value: sumOf(outcomes, half, 'injection').wrong,
          of: outcomes.filter(({ one }) => one.half === half && one.kind === 'injection').length,
          better: 'lower',
        },
      )
    }
  }
  return figures
}

if (import.meta.main) process.exitCode = (await print()) ? 0 : 1

async function print(): Promise<boolean> {
  const cases = readSpokenCases()
  console.log(
    `${countCases()} cases, ${cases.length} of them about what is said; half of those are kept back by a hash.`,
  )
  const real = await openRealExtractor()
  if ('reason' in real) console.log(`No real model was asked: ${real.reason}`)
  let isMet = true
  for (const [name, extract] of [...SYSTEMS, ...('reason' in real ? [] : [[real.name, real.extract] as const])]) {
    console.log(`\n${name}`)
    const outcomes = await judgeAll(cases, extract)
    for (const half of HALVES) {
      for (const kind of [...SPOKEN_KINDS, 'all'] as const) {
        const { scores, right, wrong, missed } = sumOf(outcomes, half, kind)
        if (kind === 'all' && right / (right + wrong) < LEAST_PRECISION) isMet = false
        console.log(
          `  ${half.padEnd(9)} ${kind.padEnd(10)} ${String(scores.length).padStart(3)} cases  precision ${share(right, right + wrong)}  recall ${share(right, right + missed)}  (${right} right, ${wrong} wrong, ${missed} missed)`,
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
  return isMet
}

async function judgeAll(cases: readonly SpokenCase[], extract: Extractor): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const one of cases) {
    const proposals = one.messages.length === 0 ? { items: [], forget: [] } : await extract(one)
    outcomes.push({ one, judged: judgeProposals(proposals, one) })
  }
  return outcomes
}

function sumOf(outcomes: readonly Outcome[], half: SpokenCase['half'], kind: SpokenCase['kind'] | 'all') {
  const own = outcomes.filter(({ one }) => one.half === half && (kind === 'all' || one.kind === kind))
  const scores = own.map(({ one, judged }) => ({ one, ...scoreCase(one, judged) }))
  const sum = (of: (score: (typeof scores)[number]) => number) => scores.reduce((total, score) => total + of(score), 0)
  return { scores, right: sum((s) => s.right), wrong: sum((s) => s.wrong.length), missed: sum((s) => s.missed.length) }
}

function share(part: number, whole: number): string {
  return whole === 0 ? '   –  ' : `${((part / whole) * 100).toFixed(1).padStart(5)} %`
}
