import { ellipsis } from '../../../kernel/domain/text.ts'
import { estimateTokens } from '../../../kernel/domain/text/estimate-tokens.ts'
import type { AnswerTrust } from '../../../kernel/domain/trust/trust.ts'
import type { BriefHead, BriefKind, BriefLine, BriefUnit, PackedBrief } from './brief-unit.ts'
import { headingCost, headLine, layOutBrief, lineCost, unitLine } from './lay-out-brief.ts'
import { openToldFacts } from './same-fact.ts'

/**
 * How steeply worth grows with relevance, and the fixed cost of every line besides its tokens, so that short lines do
 * not win by being short. On the tuning half of LoCoMo's questions, 4 to 8 and 10 to 20 make no notable difference.
 */
const STEEPNESS = 6
const FLAT_COST = 15
/** Penalty for a line that repeats an included line in other words. */
const REPEATED = 0.5
/** Factor on the worth of each further line of one decision, so that it does not displace the others. */
const FURTHER = 0.7

/**
 * Share of the budget for due lines, which come first. Otherwise a session that repeats a question's words often enough
 * would displace every decision that bears on it.
 */
const FOR_DUE = 0.4

/**
 * The lines with the highest worth for their tokens, as one text that never exceeds the budget. Greedy: each step adds
 * the line with the highest worth per token, given the lines already included, and skips a line that does not fit. The
 * units must be in reading order, with those of one head together; the same units always produce the same text.
 */
export function packBrief(all: readonly BriefUnit[], budget: number): PackedBrief {
  const units = shortOutcomes(all, budget)
  const chosen = new Set<number>()
  const left: Record<string, number> = {}
  const count = (kind: string): void => void (left[kind] = (left[kind] ?? 0) + 1)
  const room = openRoom(units, budget)
  const told = openToldFacts(
    units.map(({ terms, trust, kind, text }) => ({ terms, trust, isExact: kind === 'decision' && text === '' })),
  )
  const repeats = new Set<number>()
  const hasOutcomes = units.some(({ isOutcome }) => isOutcome === true)
  const depths = new Map<BriefHead | undefined, number>()
  const depthOf = (at: number): number => depths.get(units[at]!.head) ?? 0
  const worthOf = (at: number): number =>
    (Math.exp(STEEPNESS * units[at]!.relevance) * (1 - REPEATED * told.overlap(at)) * FURTHER ** depthOf(at)) /
    (room.cost(at) + FLAT_COST)
  const queue = openQueue()
  const siblings = Map.groupBy(units.keys(), (at) => units[at]!.head)
  const due = [...units.keys()].filter((at) => units[at]!.isDue === true)
  const choose = (at: number): void => {
    chosen.add(at)
    told.tell(at)
    const { kind, head, text, isOutcome } = units[at]!
    if (hasOutcomes && kind === 'decision' && text !== '' && isOutcome !== true) depths.set(head, depthOf(at) + 1)
  }
  const take = (at: number): boolean | undefined => {
    const opens = room.take(at)
    if (opens !== undefined) choose(at)
    if (opens === true) for (const outcome of room.outcomes(at)) choose(outcome)
    return opens
  }
  for (const at of due.toSorted((a, b) => units[b]!.relevance - units[a]!.relevance || a - b))
    if (told.overlap(at) < 1 && room.left() - room.cost(at) >= budget * (1 - FOR_DUE)) take(at)
  units.forEach(({ isOutcome }, at) => {
    if (isOutcome !== true) queue.push(at, worthOf(at))
  })
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (chosen.has(at) || repeats.has(at)) continue
    // Lines chosen since it was queued may have reduced its worth.
    const worth = worthOf(at)
    if (worth < queue.best()) {
      queue.push(at, worth)
      continue
    }
    if (told.overlap(at) === 1) {
      repeats.add(at)
      continue
    }
    const opens = take(at)
    if (opens === undefined) continue
    // Other lines of the same head no longer pay for it.
    const { head } = units[at]!
    if (opens && head !== undefined)
      for (const other of siblings.get(head) ?? [])
        if (!chosen.has(other) && units[other]!.isOutcome !== true) queue.push(other, worthOf(other))
  }
  units.forEach(({ kind }, at) => {
    if (!chosen.has(at)) count(repeats.has(at) ? 'duplicate' : kind)
  })
  const kept = [...chosen].toSorted((a, b) => a - b).map((at) => units[at]!)
  return packed(kept.length === 0 ? cutToFit(units, budget) : kept, left)
}

/** In a small budget an outcome is cut or left out: a relevant decision must have room at least for its title. */
function shortOutcomes(units: readonly BriefUnit[], budget: number): readonly BriefUnit[] {
  const longest = budget - 100
  return units.flatMap((unit) => {
    if (unit.isOutcome !== true || unit.text.length <= longest) return [unit]
    return longest < 40 ? [] : [{ ...unit, text: ellipsis(unit.text, longest) }]
  })
}

/** The remaining budget, and what each unit would currently use of it. */
function openRoom(units: readonly BriefUnit[], budget: number) {
  let room = budget
  const opened = new Set<BriefHead | BriefKind>()
  const own = units.map((unit) => (unit.text === '' ? 0 : lineCost(unitLine(unit))))
  const heads = new Map<BriefHead, number>()
  const outcomes = Map.groupBy(
    [...units.keys()].filter((at) => units[at]!.isOutcome === true),
    (at) => units[at]!.head,
  )
  const headCost = (head: BriefHead): number => {
    const known =
      heads.get(head) ?? (outcomes.get(head) ?? []).reduce((sum, at) => sum + own[at]!, lineCost(headLine(head)))
    heads.set(head, known)
    return known
  }
  const cost = (at: number): number => {
    const { kind, head } = units[at]!
    return (
      own[at]! +
      (opened.has(kind) ? 0 : headingCost(kind)) +
      (head === undefined || opened.has(head) ? 0 : headCost(head))
    )
  }
  return {
    cost,
    left: () => room,
    /** Lines that are always shown below the head of a unit. */
    outcomes: (at: number): readonly number[] => outcomes.get(units[at]!.head) ?? [],
    /** True if the unit added its head; undefined if the unit does not fit. */
    take(at: number): boolean | undefined {
      if (cost(at) > room) return undefined
      room -= cost(at)
      const { kind, head } = units[at]!
      opened.add(kind)
      if (head === undefined || opened.has(head)) return false
      opened.add(head)
      return true
    },
  }
}

/** If no line fits in full, the best line is truncated, which is better than nothing. */
function cutToFit(units: readonly BriefUnit[], budget: number): readonly BriefUnit[] {
  const [best] = units.toSorted((a, b) => b.relevance - a.relevance)
  if (best === undefined) return []
  const bare = { ...best, text: '' }
  const room = Math.floor(budget - headingCost(best.kind) - lineCost(unitLine(bare)) - headOf(best))
  for (let longest = room * 4; longest > 8; longest = Math.floor(longest / 2)) {
    const cut = { ...best, text: ellipsis(best.text, longest) }
    if (estimateTokens(layOutBrief([cut])) <= budget) return [cut]
  }
  return []
}

const headOf = ({ head }: BriefUnit): number => (head === undefined ? 0 : lineCost(headLine(head)))

function packed(kept: readonly BriefUnit[], left: Record<string, number>): PackedBrief {
  const content = layOutBrief(kept)
  const heads = new Set<BriefHead>()
  const lines = kept.flatMap((unit): BriefLine[] => {
    const { head, text, source, trust } = unit
    const isFirst = head !== undefined && head.isFact && !heads.has(head)
    if (head !== undefined) heads.add(head)
    return [
      ...(isFirst ? [lineOf(head.text, head.source, head.trust)] : []),
      ...(text === '' ? [] : [lineOf(text, source, trust)]),
    ]
  })
  return { content, lines, tokens: estimateTokens(content), left }
}

const lineOf = (text: string, source: string, trust: AnswerTrust): BriefLine => ({
  text,
  source,
  trust,
  tokens: estimateTokens(text),
})

/** The unit with the highest worth first; among equal ones, the first in reading order. */
function openQueue() {
  const heap: { readonly at: number; readonly worth: number }[] = []
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [heap[a]!, heap[b]!]
    return one.worth > other.worth || (one.worth === other.worth && one.at < other.at)
  }
  const swap = (a: number, b: number): void => void ([heap[a], heap[b]] = [heap[b]!, heap[a]!])
  return {
    best: (): number => heap[0]?.worth ?? -Infinity,
    push(at: number, worth: number): void {
      let place = heap.push({ at, worth }) - 1
      for (let above = (place - 1) >> 1; place > 0 && isBefore(place, above); above = (place - 1) >> 1) {
        swap(place, above)
        place = above
      }
    },
    pop(): number | undefined {
      const top = heap[0]
      const last = heap.pop()
      if (top === undefined || last === undefined || heap.length === 0) return top?.at
      heap[0] = last
      for (let place = 0; ;) {
        const [left, right] = [2 * place + 1, 2 * place + 2]
        let best = place
        if (left < heap.length && isBefore(left, best)) best = left
        if (right < heap.length && isBefore(right, best)) best = right
        if (best === place) return top.at
        swap(place, best)
        place = best
      }
    },
  }
}
