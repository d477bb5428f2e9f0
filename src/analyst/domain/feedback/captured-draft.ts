import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'

const evidence = z.object({
  /** The user's words, or the plan that they approved. */
  quote: z.string(),
  client: z.string(),
  session: z.string(),
  /** 1-based turn of the session. */
  turn: z.number().int().min(1),
})

const decision = z.strictObject({
  title: z.string().min(1).max(300),
  rationale: z.string().min(1).max(10_000),
  rejected: z
    .array(z.strictObject({ alternative: z.string().min(1).max(300), reason: z.string().max(5_000) }))
    .max(20)
    .default([]),
  files: z.array(z.string().min(1).max(500)).max(50).default([]),
  /** The decision that it contradicts, such as D4. */
  supersedes: z.string().max(20).optional(),
  evidence,
})

const question = z.strictObject({
  question: z.string().min(1).max(2_000),
  context: z.string().max(5_000).default(''),
  evidence,
})

export type DecisionDraft = z.output<typeof decision>
export type QuestionDraft = z.output<typeof question>

export const capturedBody = (draft: DecisionDraft | QuestionDraft): string => stringify(draft, { lineWidth: 100 })

/** Parses a decision that Ken drafted; undefined for any other text. */
export const readDecisionDraft = (body: string): DecisionDraft | undefined => read(decision, body)

/** Parses a question that Ken drafted; undefined for any other text. */
export const readQuestionDraft = (body: string): QuestionDraft | undefined => read(question, body)

function read<T>(shape: z.ZodType<T>, body: string): T | undefined {
  if (yamlExcess(body, CONFIG_BOUNDS) !== undefined) return undefined
  try {
    return shape.safeParse(parse(body)).data
  } catch {
    return undefined
  }
}
