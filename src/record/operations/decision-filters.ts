import { z } from 'zod'
import type { DecisionTrust } from '../../kernel/domain/trust/trust.ts'
import { forPeople } from '../../operations/operation.ts'
import type { CatalogueEntry } from '../domain/decision/catalogue.ts'
import { CONFIDENCES, STATUSES } from '../domain/decision/decision.ts'
import { governs } from '../domain/decision/governs.ts'
import type { Store } from '../ports/store.ts'
import { trustOf } from '../read-decision.ts'
import { decisionTypeField, trustField } from './record-fields.ts'

const day = z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, 'say it like 2026-03-01, 2026-03 or 2026')

/** Selects decisions for a list or a search. */
export const decisionFilters = {
  status: z.enum(STATUSES).optional().meta(forPeople('Only active or only superseded ones.')),
  type: decisionTypeField,
  confidence: z.enum(CONFIDENCES).optional(),
  trusted: trustField.optional().meta(forPeople('Only decisions with this trust.')),
  file: z.string().min(1).max(500).optional().meta(forPeople('Only decisions that govern this file or folder.')),
  since: day.optional().meta(forPeople('Only decisions from this day on, e.g. 2026-03-01 or 2026.')),
  until: day.optional().meta(forPeople('Only decisions up to this day, month or year, inclusive.')),
}

export const UNLISTED_FILTERS = Object.keys(decisionFilters)

export type DecisionFilters = z.output<z.ZodObject<typeof decisionFilters>> & { readonly include_superseded?: boolean }

export const isFiltered = (filters: DecisionFilters): boolean =>
  UNLISTED_FILTERS.some((name) => filters[name as keyof DecisionFilters] !== undefined)

type Fact = 'status' | 'type' | 'confidence' | 'trusted'

/** Whether a decision matches the filters, ignoring the filter named by `but`. */
export function decisionFilter(store: Store, filters: DecisionFilters, but?: Fact): (entry: CatalogueEntry) => boolean {
  const { type, confidence, trusted, file, since, until } = filters
  const status = filters.status ?? (filters.include_superseded === true ? undefined : 'active')
  return (entry) =>
    (but === 'status' || status === undefined || entry.status === status) &&
    (but === 'type' || type === undefined || entry.decision_type === type) &&
    (but === 'confidence' || confidence === undefined || entry.confidence === confidence) &&
    (but === 'trusted' || trusted === undefined || trustOf(store, entry) === trusted) &&
    (since === undefined || entry.date >= since) &&
    (until === undefined || entry.date.slice(0, until.length) <= until) &&
    (file === undefined || entry.files_affected.some((pattern) => governs(pattern, file) || governs(file, pattern)))
}

export const decisionCounts = z.object({
  status: z.record(z.string(), z.number()),
  type: z.record(z.string(), z.number()),
  confidence: z.record(z.string(), z.number()),
  trusted: z.record(z.string(), z.number()),
  months: z.array(z.object({ month: z.string(), count: z.number() })).describe('Matches, newest first.'),
  with_files: z.number().describe('Matches that govern files.'),
})

export type DecisionCounts = z.output<typeof decisionCounts>

const FACTS: Readonly<Record<Fact, (entry: CatalogueEntry, trust: DecisionTrust) => string>> = {
  status: (entry) => entry.status,
  type: (entry) => entry.decision_type ?? 'untyped',
  confidence: (entry) => entry.confidence,
  trusted: (_, trust) => trust,
}

/** Counts per value of each fact, ignoring the filter for that fact. */
export function countDecisions(
  store: Store,
  decisions: readonly CatalogueEntry[],
  filters: DecisionFilters,
): DecisionCounts {
  const tally = (fact: Fact): Record<string, number> => {
    const isMeant = decisionFilter(store, filters, fact)
    const counts = new Map<string, number>()
    for (const entry of decisions) {
      if (!isMeant(entry)) continue
      const value = FACTS[fact](entry, trustOf(store, entry))
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }
  const months = new Map<string, number>()
  const isMeant = decisionFilter(store, filters)
  const matching = decisions.filter(isMeant)
  for (const { date } of matching) {
    const month = date.slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + 1)
  }
  return {
    status: tally('status'),
    type: tally('type'),
    confidence: tally('confidence'),
    trusted: tally('trusted'),
    months: [...months].sort(([a], [b]) => (a < b ? 1 : -1)).map(([month, count]) => ({ month, count })),
    with_files: matching.filter(({ files_affected: files }) => files.length > 0).length,
  }
}
