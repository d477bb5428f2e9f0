import { z } from 'zod'
import type { NotedValue } from './table-notes.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])
const described = z
  .object({
    value: scalar,
    meaning: z.string().optional(),
    label: z.string().optional(),
    description: z.string().optional(),
  })
  .loose()

/** Values as people list them: plain, each with its meaning, or as `value: meaning`. Anything else is undefined. */
export const notedValues = z
  .union([z.array(z.union([scalar, described])), z.record(z.string(), scalar.nullable())])
  .optional()
  .catch(undefined)

const MOST_VALUES = 200

export function readNotedValues(given: z.output<typeof notedValues>): readonly NotedValue[] | undefined {
  if (given === undefined) return undefined
  const listed = Array.isArray(given)
    ? given.map((one) =>
        typeof one === 'object'
          ? { value: String(one.value), meaning: one.meaning ?? one.label ?? one.description ?? '' }
          : { value: String(one), meaning: '' },
      )
    : Object.entries(given).map(([value, meaning]) => ({ value, meaning: String(meaning ?? '') }))
  return listed.slice(0, MOST_VALUES)
}

/** One word or a list of them. */
export const notedWords = z
  .union([z.array(z.string()), z.string().transform((word) => [word])])
  .optional()
  .catch(undefined)
