import { z } from 'zod'
import { ellipsis } from '../kernel/domain/text.ts'
import { DECISION_TRUSTS } from '../kernel/domain/trust/trust.ts'
import { label } from './domain/decision/decision.ts'
import { rejectedPhrase } from './domain/decision/inferred.ts'
import { findRejections } from './find-rejections.ts'
import type { Store } from './ports/store.ts'
import { trustOf } from './read-decision.ts'

const MOST = 5
const LONGEST_REASON = 200

/** Rejected alternatives that a text names, as part of an answer. */
export const bringsBackField = z.array(
  z.object({
    decision: z.string().describe('The active one through which it is rejected.'),
    title: z.string(),
    rejected_by: z.string().describe('The same decision, or one that it replaced.'),
    alternative: z.string(),
    reason: z.string(),
    named: z.string().describe('Spelling in the text.'),
    trust: z.enum(DECISION_TRUSTS),
  }),
)

export type BringsBack = z.output<typeof bringsBackField>

/** Undefined if the text names nothing that was rejected. */
export async function bringsBack(store: Store, text: string): Promise<BringsBack | undefined> {
  const found = (await findRejections(store, text)).slice(0, MOST).map(({ entry, by, alternative, reason, named }) => ({
    decision: label(entry.num),
    title: entry.title,
    rejected_by: label(by.num),
    alternative,
    reason: ellipsis(reason.replaceAll(/\s+/g, ' ').trim(), LONGEST_REASON),
    named,
    trust: trustOf(store, entry),
  }))
  return found.length === 0 ? undefined : found
}

/** One line per rejected alternative. */
export const bringsBackText = (found: BringsBack | undefined): string =>
  (found ?? [])
    .map(
      ({ decision, title, rejected_by, alternative, reason }) =>
        `${decision} "${title}" ${rejected_by === decision ? rejectedPhrase({ name: alternative, reason }) : `keeps rejected, from ${rejected_by}: ${alternative}`}${reason === '' ? '' : `: ${reason}`}`,
    )
    .join('\n')
