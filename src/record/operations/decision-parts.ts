import { z } from 'zod'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import type { CatalogueEntry } from '../domain/decision/catalogue.ts'
import {
  CONFIDENCES,
  DECISION_TYPES,
  type Decision,
  label,
  REVERSIBILITIES,
  SOURCES,
  STATUSES,
} from '../domain/decision/decision.ts'
import { keptRejections } from '../domain/standing-rejections.ts'
import { rejectedThrough } from '../find-rejections.ts'
import type { Store } from '../ports/store.ts'

/** A decision as data, for callers with a separate renderer. */
export const decisionParts = z.object({
  date: z.string(),
  version: z.number(),
  type: z.enum(DECISION_TYPES).nullable(),
  confidence: z.enum(CONFIDENCES),
  reversibility: z.enum(REVERSIBILITIES).nullable(),
  source: z.enum(SOURCES).nullable(),
  files: z.array(z.string()),
  rationale: z.string(),
  rejected: z.array(z.object({ name: z.string(), reason: z.string().nullable() })),
  hash: z.string().describe('SHA-256 of the whole text.'),
})

/** Rejections that a decision inherits from decisions it replaced. */
export const stillRejectedField = z.array(
  z.object({
    name: z.string(),
    reason: z.string().nullable(),
    by: z.string().describe('The decision that rejected it.'),
    since: z.string(),
  }),
)

export const stillRejected = async (
  store: Pick<Store, 'catalogue' | 'read'>,
  entry: CatalogueEntry,
): Promise<{ still_rejected?: z.output<typeof stillRejectedField> }> => {
  const kept = entry.status === 'active' ? keptRejections(await rejectedThrough(store, entry)) : []
  if (kept.length === 0) return {}
  return {
    still_rejected: kept.map(({ alternative, reason, by }) => ({
      name: alternative,
      reason,
      by: label(by.num),
      since: by.date,
    })),
  }
}

export const stillRejectedLines = (kept: z.output<typeof stillRejectedField> | undefined): string[] =>
  kept === undefined
    ? []
    : [
        '',
        'Still rejected, though only said in what it replaced:',
        ...kept.map(
          ({ name, reason, by, since }) =>
            `- ${name} (${by}, ${since})${reason === null || reason === '' ? '' : `: ${ellipsis(reason.replaceAll(/\s+/g, ' '), 200)}`}`,
        ),
      ]

/** Predecessors and successors of a decision, oldest first. */
export const lineageField = z.array(
  z.object({
    number: z.number(),
    title: z.string(),
    date: z.string(),
    status: z.enum(STATUSES),
    replaces: z.array(z.number()).describe('Members of the family that it replaced.'),
  }),
)

type Lineage = z.output<typeof lineageField>

export function partsOf(
  decision: Decision | undefined,
  content: string,
): { parts?: z.output<typeof decisionParts> | undefined } {
  if (decision === undefined) return {}
  const { date, version, confidence, reversibility, source, rationale } = decision
  return {
    parts: {
      date,
      version,
      type: decision.decision_type,
      confidence,
      reversibility,
      source,
      files: [...decision.files_affected],
      rationale,
      rejected: decision.rejected.map((one) => ({ ...one })),
      hash: sha256(content),
    },
  }
}

// A lineage of a hundred does not fit on a line; nearest relatives come first.
const LARGEST_FAMILY = 60

/** All direct and indirect predecessors and successors. */
export function lineageOf(decisions: readonly CatalogueEntry[], start: CatalogueEntry): Lineage {
  const byNumber = new Map(decisions.map((entry) => [entry.num, entry]).reverse() as [number, CatalogueEntry][])
  const { before, after } = links(decisions)
  const family = new Set([start.num])
  for (const steps of [before, after]) {
    const left = [start.num]
    for (let at = left.shift(); at !== undefined && family.size < LARGEST_FAMILY; at = left.shift())
      for (const next of steps.get(at) ?? []) {
        if (family.has(next) || !byNumber.has(next) || family.size >= LARGEST_FAMILY) continue
        family.add(next)
        left.push(next)
      }
  }
  return [...family]
    .map((num) => byNumber.get(num)!)
    .sort((a, b) => (a.date === b.date ? a.num - b.num : a.date < b.date ? -1 : 1))
    .map(({ num, title, date, status }) => ({
      number: num,
      title,
      date,
      status,
      replaces: [...(before.get(num) ?? [])].filter((other) => family.has(other)),
    }))
}

interface Links {
  /** The decisions that each decision replaced (`before`) and was replaced by (`after`). */
  readonly before: ReadonlyMap<number, ReadonlySet<number>>
  readonly after: ReadonlyMap<number, ReadonlySet<number>>
}

// Cached by identity: the list is the same object until a decision changes.
const known = new WeakMap<readonly CatalogueEntry[], Links>()

/** Links in both directions; either side of a replacement may record it. */
function links(decisions: readonly CatalogueEntry[]): Links {
  const found = known.get(decisions)
  if (found !== undefined) return found
  const before = new Map<number, Set<number>>()
  const after = new Map<number, Set<number>>()
  const join = (newer: number, older: number): void => {
    if (newer === older || !Number.isSafeInteger(newer) || !Number.isSafeInteger(older)) return
    before.set(newer, (before.get(newer) ?? new Set()).add(older))
    after.set(older, (after.get(older) ?? new Set()).add(newer))
  }
  for (const { num, supersedes, superseded_by: by } of decisions) {
    if (supersedes !== null) join(num, Number(supersedes))
    if (by !== null) join(Number(by), num)
  }
  known.set(decisions, { before, after })
  return { before, after }
}

export const lineageLines = (lineage: Lineage | undefined, view: View): string[] =>
  lineage === undefined || lineage.length < 2
    ? []
    : [view.mark('dim', lineage.map(({ number, title }) => `${label(number)} ${ellipsis(title, 40)}`).join(' → ')), '']
