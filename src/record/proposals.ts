import type { CatalogueEntry } from '../core/decision/catalogue.ts'
import { label } from '../core/decision/decision.ts'
import { AppError } from '../core/errors.ts'
import { ellipsis, plural } from '../core/text.ts'
import type { Context } from '../ports/context.ts'
import type { Store } from '../ports/store.ts'
import { refreshAgentsMd } from './refresh-agents-md.ts'

/**
 * What agents recorded and no person has accepted yet. A record from a clone has none: first it is to be trusted at
 * all.
 */
export async function pendingProposals(store: Store): Promise<readonly CatalogueEntry[]> {
  if (store.project.fromClone === true) return []
  return (await store.catalogue()).decisions.filter(
    (entry) => entry.trust === 'proposed by an agent' && entry.status === 'active',
  )
}

/** A person stands behind these from now on. */
export async function acceptProposals(ctx: Context, store: Store, entries: readonly CatalogueEntry[]): Promise<void> {
  if (store.project.fromClone === true)
    throw new AppError('forbidden', 'This record came with the clone and nobody here has looked at it.', {
      hint: 'Read it with `ken context`, then run `ken trust`.',
    })
  if (entries.length === 0) return
  await store.commit(ctx.origin, async (draft) => draft.note('accept', { decisions: entries.map(({ stem }) => stem) }))
  await refreshAgentsMd(ctx, store)
}

/** Where a person sits at the terminal: shows what waits for them and takes one key. Gives what was accepted. */
export async function askAboutProposals(
  ctx: Context,
  store: Store,
  pending: readonly CatalogueEntry[],
): Promise<readonly CatalogueEntry[]> {
  if (pending.length === 0 || ctx.confirm === undefined) return []
  const isAccepted = await ctx.confirm(
    [
      `Recorded by agents, accepted by no one yet (\`ken get-decision\` shows one in full):`,
      ...pending.map(proposalLine),
      '',
      `Accept ${pending.length === 1 ? 'it' : `all ${pending.length}`}?`,
    ].join('\n'),
  )
  if (!isAccepted) return []
  await acceptProposals(ctx, store, pending)
  return pending
}

export const proposalLine = ({ num, title, date }: { num: number; title: string; date: string }): string =>
  `  ${label(num)}  ${date}  ${ellipsis(title.replaceAll(/\s+/g, ' '), 80)}`

export const proposalsWait = (count: number): string =>
  `${plural(count, 'decision')} proposed by agents; \`ken accept <number>\` or \`ken accept --all\` accepts`
