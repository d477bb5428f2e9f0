import { z } from 'zod'
import { saysNothing } from '../says-nothing.ts'
import type { MemoryCategory } from './memory-row.ts'

/** A memory proposed by a model, a rule or an agent. Untrusted until `judgeProposals` has accepted it. */
export interface MemoryProposal {
  readonly category: MemoryCategory
  readonly content: string
  /** Words copied from the user. */
  readonly evidence: string
  /** The row that the proposal would replace. */
  readonly supersedes?: string | undefined
}

export interface ForgetProposal {
  readonly id: string
  readonly evidence: string
}

export interface MemoryProposals {
  readonly items: readonly MemoryProposal[]
  readonly forget: readonly ForgetProposal[]
}

export const NO_PROPOSALS: MemoryProposals = { items: [], forget: [] }

/** More than people state in one message; further entries are ignored. */
const MOST = 20
const LONGEST_ANSWER = 60_000

const id = z.union([z.string(), z.number()]).nullish()
const item = z.object({
  content: z.string(),
  evidence: z.string().nullish(),
  supersedes: id,
  supersedes_id: id,
})
const gone = z.object({ id: z.union([z.string(), z.number()]), evidence: z.string().nullish() })

/** Parses a model's answer entry by entry: invalid ones are skipped. Undefined if the answer cannot be parsed. */
export function readProposals(answer: string): MemoryProposals | undefined {
  const read = readJson(answer.slice(0, LONGEST_ANSWER))
  if (read === null) return NO_PROPOSALS
  if (typeof read !== 'object' || read === undefined || Array.isArray(read)) return undefined
  const fields = read as Readonly<Record<string, unknown>>
  const items = [
    ...entries(fields['instructions'] ?? fields['user_instructions'], item).map((one) => proposal('global_rule', one)),
    ...entries(fields['facts'] ?? fields['user_profile'], item).map((one) => proposal('personal_fact', one)),
  ]
  const forget = entries(fields['forget'], gone).map((one) => ({ id: String(one.id), evidence: one.evidence ?? '' }))
  return { items: items.slice(0, MOST), forget: forget.slice(0, MOST) }
}

function proposal(category: MemoryCategory, given: z.output<typeof item>): MemoryProposal {
  const supersedes = given.supersedes ?? given.supersedes_id ?? undefined
  return {
    category,
    content: given.content,
    evidence: given.evidence ?? '',
    ...(supersedes !== undefined && { supersedes: String(supersedes) }),
  }
}

function entries<T>(value: unknown, schema: z.ZodType<T>): T[] {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  return list.slice(0, MOST).flatMap((one) => {
    const parsed = schema.safeParse(one)
    return parsed.success ? [parsed.data] : []
  })
}

/** Extracts JSON, which models wrap in code fences and prose. */
function readJson(answer: string): unknown {
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  if (from < 0 || to < from) return saysNothing(answer) ? null : undefined
  try {
    return JSON.parse(answer.slice(from, to + 1))
  } catch {
    return undefined
  }
}
