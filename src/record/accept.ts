import { AppError } from '../kernel/domain/errors.ts'
import { ellipsis, plural } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { label } from './domain/decision/decision.ts'
import { HASHES } from './domain/files.ts'
import { isRecordFile } from './domain/record-path.ts'
import { numbersHere, writeNamed } from './named-decision.ts'
import type { Discrepancy, Store } from './ports/store.ts'
import { noSuchDecision } from './read-decision.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'
import { refreshAgentsMd } from './refresh-agents-md.ts'
import { refuseFromClone } from './refuse-from-clone.ts'

/** Decisions recorded by agents and pending review. A record from a clone has none: it must be trusted first. */
export async function pendingProposals(store: Store): Promise<readonly CatalogueEntry[]> {
  if (store.project.fromClone === true) return []
  return (await store.catalogue()).decisions.filter(
    (entry) => entry.trust === 'proposed by an agent' && entry.status === 'active',
  )
}

/** Marks proposals as accepted by a person. */
async function acceptProposals(ctx: Call, store: Store, entries: readonly CatalogueEntry[]): Promise<void> {
  refuseFromClone(store)
  if (entries.length === 0) return
  await store.commit(ctx.origin, async (draft) => {
    draft.note('accept', { decisions: entries.map(({ stem }) => stem) })
    draft.snapshot(`accept: ${entries.map(({ num }) => label(num)).join(', ')}`)
  })
  await refreshAgentsMd(ctx, store)
}

/** If a person is at the terminal: shows their pending proposals and reads one key. Returns the accepted proposals. */
export async function askAboutProposals(
  ctx: Call,
  store: Store,
  pending: readonly CatalogueEntry[],
): Promise<readonly CatalogueEntry[]> {
  if (pending.length === 0 || ctx.confirm === undefined) return []
  const isAccepted = await ctx.confirm(
    [
      `Recorded by agents, accepted by no one yet (\`ken show\` shows one in full):`,
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

/** Adds manual edits to the journal unchanged. */
export async function acceptEdits(
  ctx: Call,
  store: Store,
  { dry_run, history }: { dry_run: boolean; history: boolean },
): Promise<{ accepted: string[]; left: { path: string; message: string }[] }> {
  const found = await store.verify()
  const closed = new Set<string>()
  for (const { path } of found.filter(isEdit)) await store.read(path).catch(() => closed.add(path))
  const isTaken = (d: Discrepancy) =>
    (isEdit(d) && !closed.has(d.path)) || isRemoval(d) || (history && (d.about?.length ?? 0) > 0)
  const taken = found.filter(isTaken)
  const accepted = [...new Set(taken.map((d) => d.path))]
  if (!dry_run && taken.length > 0) {
    await store.commit(ctx.origin, async (draft) => {
      for (const { path } of taken.filter(isEdit)) draft.write(path, (await draft.read(path)) ?? '')
      for (const { path } of taken.filter(isRemoval)) draft.remove(path)
      if (accepted.some((path) => path.startsWith('decisions/')))
        await rebuildHashIndex(ctx, store, draft, { isTrusted: !accepted.includes(HASHES) })
      const given = taken.flatMap((d) => d.about ?? [])
      draft.note('accept', { files: accepted, ...(given.length > 0 && { gave_up: given }) })
      draft.snapshot('accept')
    })
  }
  return { accepted, left: found.filter((d) => !isTaken(d)).map(({ path, message }) => ({ path, message })) }
}

const isEdit = ({ kind }: Discrepancy): boolean => kind === 'edited' || kind === 'unknown'

const isRemoval = ({ kind, path, about }: Discrepancy): boolean =>
  kind === 'missing' && about === undefined && isRecordFile(path) && !path.startsWith('decisions/')

/** Accepts the named pending proposals; a proposal already accepted by a person is unchanged. */
export async function acceptNamed(
  ctx: Call,
  store: Store,
  input: { decisions?: string[] | undefined; all: boolean; dry_run: boolean },
): Promise<readonly CatalogueEntry[]> {
  const chosen = input.all
    ? await pendingProposals(store)
    : (await namedEntries(store, input.decisions)).filter((entry) => entry.trust === 'proposed by an agent')
  if (!input.dry_run) await acceptProposals(ctx, store, chosen)
  return chosen
}

/** The decisions to change, by number or id. */
export async function namedEntries(
  store: Store,
  decisions: readonly string[] = [],
): Promise<readonly CatalogueEntry[]> {
  const [catalogue, numbers] = await Promise.all([store.catalogue(), numbersHere(store)])
  return decisions.map((text) => {
    const meant = writeNamed(catalogue, text, numbers)
    if (meant === undefined) throw noSuchDecision(decisionNumber(text.trim()) ?? text, catalogue)
    if ('asks' in meant) throw new AppError('conflict', meant.asks)
    return meant.entry
  })
}
