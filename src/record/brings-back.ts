import { z } from 'zod'
import { label } from '../core/decision/decision.ts'
import { rejectedPhrase } from '../core/decision/inferred.ts'
import { ellipsis } from '../core/text.ts'
import { DECISION_TRUSTS } from '../core/trust/trust.ts'
import type { Store } from '../ports/store.ts'
import { findRejections } from './find-rejections.ts'
import { trustOf } from './read-decision.ts'

const MOST = 5
const LONGEST_REASON = 200

/** What a text names although a decision rejected it, as an answer tells it. */
export const bringsBackField = z.array(
  z.object({
    decision: z.string().describe('The active one through which it is rejected.'),
    title: z.string(),
    rejected_by: z.string().describe('The same, or one that it came to replace.'),
    alternative: z.string(),
    reason: z.string(),
    named: z.string().describe('As the text spells it.'),
    trust: z.enum(DECISION_TRUSTS),
  }),
)

export type BringsBack = z.output<typeof bringsBackField>

/** Undefined where the text names nothing that was rejected. */
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

/** One line for each. */
export const bringsBackText = (found: BringsBack | undefined): string =>
  (found ?? [])
    .map(
      ({ decision, title, rejected_by, alternative, reason }) =>
        `${decision} "${title}" ${rejected_by === decision ? rejectedPhrase({ name: alternative, reason }) : `keeps rejected, from ${rejected_by}: ${alternative}`}${reason === '' ? '' : `: ${reason}`}`,
    )
    .join('\n')
