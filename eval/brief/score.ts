import { sha256 } from '../../src/kernel/domain/sha256.ts'
import { tokenWeight } from '../../src/kernel/domain/text/estimate-tokens.ts'
import { rankBm25 } from '../../src/retrieval/domain/ranking/bm25.ts'

export const BUDGETS = [500, 1_000, 2_000, 4_000, 8_000] as const
export const SYSTEMS = ['brief', 'newest first', 'BM25'] as const
export type System = (typeof SYSTEMS)[number]
export const HALVES = ['tuned', 'kept back'] as const
export type Half = (typeof HALVES)[number]

/** The share of the evidence that one system keeps at one budget, over one half of the questions. */
export interface BriefRow {
  readonly set: string
  readonly budget: number
  readonly system: System
  readonly half: Half | 'all'
  readonly questions: number
  /** 0 to 1, mean over questions. */
  readonly kept: number
  /** Token count of the text, mean over questions. */
  readonly tokens: number
}

/** Assigns a question to a half by its hash, so that its half never changes. */
export const halfOf = (question: string): Half => HALVES[Number.parseInt(sha256(question).slice(0, 8), 16) % 2]!

/** Normalises whitespace for comparison. */
const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export function shareKept(text: string, facts: readonly string[]): number {
  const whole = squeeze(text)
  return facts.filter((fact) => whole.includes(squeeze(fact))).length / facts.length
}

/** Takes lines in order until the budget is full; skips one that is too long. */
export function fillUp(lines: readonly string[], order: Iterable<number>, budget: number): string {
  let room = budget
  const kept: string[] = []
  for (const at of order) {
    const cost = tokenWeight(lines[at]!) + 0.25
    if (cost > room) continue
    room -= cost
    kept.push(lines[at]!)
  }
  return kept.join('\n')
}

/** Plain BM25 over the lines; those that share no word with the question come last, newest first. */
export function bm25Order(lines: readonly string[], question: string): number[] {
  const found = rankBm25(lines, question, { k1: 1.2, b: 0.75 }).map(({ index }) => index)
  const seen = new Set(found)
  return [...found, ...newestFirst(lines).filter((at) => !seen.has(at))]
}

export const newestFirst = (lines: readonly string[]): number[] => [...lines.keys()].toReversed()

/** Sums up what each system keeps. */
export function openTally(set: string) {
  const sums = new Map<string, { kept: number; tokens: number; questions: number }>()
  return {
    add(system: System, budget: number, half: Half, text: string, kept: number): void {
      for (const part of [half, 'all'] as const) {
        const key = JSON.stringify([system, budget, part])
        const sum = sums.get(key) ?? { kept: 0, tokens: 0, questions: 0 }
        sum.kept += kept
        sum.tokens += tokenWeight(text)
        sum.questions++
        sums.set(key, sum)
      }
    },
    rows: (): BriefRow[] =>
      [...sums].map(([key, { kept, tokens, questions }]) => {
        const [system, budget, half] = JSON.parse(key) as [System, number, Half | 'all']
        return { set, system, budget, half, questions, kept: kept / questions, tokens: tokens / questions }
      }),
  }
}
