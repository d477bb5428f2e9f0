import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import type { Draft } from '../domain/feedback/feedback.ts'
import { projectKey } from './project-key.ts'

export const draftField = z.string().min(1).max(60).describe('Its id or the suffix shown in the list, or `last`.')

const SHOWN = 6

/** Short form of an id: its end, as ids created at the same moment share their beginning. */
export const shortId = (id: string): string => id.slice(-SHOWN).toLowerCase()

/**
 * One of the user's drafts, by its id, by the end of its id, or by `last`: the newest pending or settled draft. A
 * server serves only one project.
 */
export async function draftNamed(
  ctx: Given<'analyst'>,
  named: string,
  last: 'waiting' | 'settled' = 'waiting',
): Promise<Draft> {
  const { feedback } = await ctx.analystState()
  const here = await projectKey(ctx)
  const isOffered = ({ project }: Draft): boolean => isPerson(ctx.origin) || project === here
  const found = async (settled: boolean) => (await feedback.inbox({ user: ctx.user, settled })).filter(isOffered)
  const hint = `List drafts with ${operationNamed('inbox_list')}.`
  if (named.toLowerCase() === 'last') {
    const newest = newestOf(
      (await found(last === 'settled')).filter(({ project }) => project === here),
      last,
    )
    if (newest !== undefined) return newest
    throw new AppError(
      'not_found',
      last === 'waiting' ? 'No drafts pending review here.' : 'No drafts applied or dismissed here yet.',
      { hint },
    )
  }
  const fit =
    named.length < 4
      ? []
      : [...(await found(false)), ...(await found(true))].filter(({ id }) =>
          id.toLowerCase().endsWith(named.toLowerCase()),
        )
  if (fit.length === 1) return fit[0]!
  if (fit.length > 1)
    throw new AppError('invalid_input', `Several drafts end in "${visibleLine(named)}".`, {
      hint: 'Use more of the id.',
    })
  throw new AppError('not_found', `No draft matches "${visibleLine(named)}".`, { hint })
}

/** Returns the newest draft. The inbox is sorted by creation; the last settled draft may be an older one. */
const newestOf = (drafts: readonly Draft[], which: 'waiting' | 'settled'): Draft | undefined =>
  which === 'waiting' ? drafts[0] : drafts.toSorted((a, b) => (a.settled!.at < b.settled!.at ? 1 : -1))[0]
