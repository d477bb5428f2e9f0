import { z } from 'zod'
import { forPeople } from '../../operations/operation.ts'
import { asOfLines, type AsOf } from '../domain/as-of.ts'
import type { Store } from '../ports/store.ts'
import { MOMENT_FORMS } from '../read-moment.ts'

const MOST_NAMED = 50

/** Field of operations that read a record: answers as of a past moment. */
export const asOfField = {
  as_of: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('What was true then: a date or commit.')
    .meta(forPeople(`Show the record as of this time. ${MOMENT_FORMS}`)),
}

export const asOfOutput = {
  as_of: z
    .object({
      at: z.string().describe('Everything up to this time is included.'),
      named: z.string().optional().describe('The commit or snapshot that was asked for.'),
      event: z.string().optional().describe('The last journal event that counts.'),
      event_at: z.string().optional(),
      unknown: z.array(z.string()).describe('Files without a stored text of that time; at most fifty.'),
      unknown_total: z.number(),
      notes: z.array(z.string()),
    })
    .optional()
    .describe('Only with as_of: the answer is about that time.'),
}

type AsOfAnswer = z.output<typeof asOfOutput.as_of>

/** The moment that an answer describes; empty if it is now. */
export const asOfOf = ({ asOf }: Store): { as_of?: AsOfAnswer } =>
  asOf === undefined
    ? {}
    : {
        as_of: {
          at: asOf.at,
          ...(asOf.named !== undefined && { named: asOf.named }),
          ...(asOf.event && { event: asOf.event.id, event_at: asOf.event.at }),
          unknown: asOf.unknown.slice(0, MOST_NAMED),
          unknown_total: asOf.unknown.length,
          notes: [...asOf.notes],
        },
      }

/** The moment as a line before the rendered answer, outside the envelope. */
export const describeAsOf = ({ as_of: said }: { as_of?: AsOfAnswer }): string => {
  if (said === undefined) return ''
  const { at, named, event, event_at: eventAt, unknown, unknown_total: total, notes } = said
  const asOf: AsOf = {
    at,
    named,
    event: event === undefined ? undefined : { id: event, at: eventAt ?? '' },
    unknown,
    notes,
  }
  return asOfLines(asOf, total).join('\n')
}
