import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Given } from '../../operations/context.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import type { Store } from '../ports/store.ts'
import { planRedaction, redactRecord, proveRedaction, type SecretPlan } from '../redact.ts'
import { wordsRedactor } from '../words-redactor.ts'
import { recordFields, whose } from './record-fields.ts'

const REVOKE = 'Revoke each of these secrets where it was issued: whoever saw the record before has it.'
const GIT =
  'git still holds what was committed, here and in every clone. Rewrite its history (git filter-repo --replace-text), push it anew, and let the others clone again; merging an old clone brings the secrets back.'

export const redact = defineOperation({
  name: 'redact',
  title: 'Take secrets out of the record',
  summary: 'Remove secrets from the record, its journal, snapshots and caches.',
  details:
    'Shows where the secrets are, never their values, and asks before changing anything (--yes skips this). Afterwards it searches every stored byte of the record for them. The journal records the redaction, and its hash chain is rebuilt. The next run completes an interrupted one. In a repository, git still contains the old commits; the answer explains what to do.',
  effect: 'write',
  isRepeatable: true,
  fromPage: 'free',
  destructive: true,
  words: 'own',
  needs: ['machine', 'memory', 'record'],
  exact: true,
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  input: {
    words: z
      .array(z.string().min(2).max(500))
      .max(50)
      .optional()
      .describe('Take out these names, words or passages instead of secrets.'),
    yes: z.boolean().default(false).describe('Do not ask.'),
    dry_run: z.boolean().default(false).describe('Only show where secrets are.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    outcome: z.enum(['none', 'shown', 'declined', 'redacted']),
    secrets: z.number(),
    places: z.array(z.object({ path: z.string(), secrets: z.number() })),
    files: z.array(z.string()),
    searched: z.number(),
    left: z.array(z.string()),
    elsewhere: z.array(z.string()),
    dropped_snapshots: z.number(),
    advice: z.array(z.string()),
  },
  examples: [{ title: 'Look first', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const redactor = input.words === undefined ? ctx.redactor : wordsRedactor(input.words)
    const plan = await planRedaction(store, redactor)
    const places = [...plan.places].map(([path, secrets]) => ({ path, secrets }))
    const answer = {
      ...whose(store),
      secrets: plan.secrets,
      places,
      files: [],
      searched: 0,
      left: [],
      elsewhere: [],
      dropped_snapshots: 0,
      advice: [] as string[],
    }
    if (places.length === 0) {
      if (!input.dry_run) await finishInterrupted(ctx, store, plan)
      return { ...answer, outcome: 'none' as const, ...(await proveEverywhere({ ...ctx, redactor }, store, plan)) }
    }
    if (input.dry_run || (!input.yes && ctx.confirm === undefined)) return { ...answer, outcome: 'shown' as const }
    if (
      !input.yes &&
      !(await ctx.confirm!(
        `${renderPlaces(plan.secrets, places)}\n\nTake them out, also of journal and snapshots? This cannot be undone.`,
      ))
    )
      return { ...answer, outcome: 'declined' as const }
    const { files, dropped } = await redactRecord(ctx, store, plan)
    return {
      ...answer,
      outcome: 'redacted' as const,
      files: [...files],
      dropped_snapshots: dropped,
      ...(await proveEverywhere({ ...ctx, redactor }, store, plan)),
      advice: [...(input.words === undefined ? [REVOKE] : []), ...(store.project.mode === 'repo' ? [GIT] : [])],
    }
  },
  render(output) {
    if (output.outcome === 'none')
      return output.left.length === 0
        ? 'No secret was found in the record, its journal and its snapshots.'
        : `Secrets are left in: ${output.left.join(', ')}`
    const shown = renderPlaces(output.secrets, output.places)
    if (output.outcome !== 'redacted')
      return `${shown}\n\nNothing was changed.${output.outcome === 'shown' ? ' Run it at a terminal, or with --yes, to take them out.' : ''}`
    return [
      shown,
      '',
      `${plural(output.secrets, 'secret')} in ${plural(output.files.length, 'file')}, ${output.left.length} left; ${plural(output.searched, 'file')} searched byte by byte.`,
      ...output.left.map((path) => `  left: ${path}`),
      ...(output.elsewhere.length === 0
        ? []
        : [
            `Outside the record they also stand in: ${output.elsewhere.join(', ')}. \`ken forget\` takes sessions and notes out.`,
          ]),
      ...(output.dropped_snapshots === 0
        ? []
        : [
            `${plural(output.dropped_snapshots, 'snapshot')} could not be read, so nobody could tell what they hold; they are gone.`,
          ]),
      ...output.advice,
    ].join('\n')
  },
  exit: (output) =>
    output.left.length > 0 || output.outcome === 'declined' || (output.outcome === 'shown' && output.places.length > 0)
      ? 1
      : 0,
})

const renderPlaces = (secrets: number, places: readonly { path: string; secrets: number }[]): string =>
  [`${plural(secrets, 'secret')} found:`, ...places.map((place) => `  ${place.path}: ${place.secrets}`)].join('\n')

/**
 * The steps after the record has been changed: caches and the search index, which a killed run may not have reached.
 */
async function finishInterrupted(
  ctx: Given<'machine' | 'memory'>,
  store: Store,
  { change, rename }: SecretPlan,
): Promise<void> {
  if ((await store.journal()).at(-1)?.operation !== 'redact') return
  await store.care.rewrite(ctx.origin, { operation: 'redact', facts: {}, change, rename })
  await refreshIndex(ctx)
}

const INDEX_FILE = /[/\\]index\.db(?:-wal|-shm)?$/

/**
 * Searches the record and all of Ken's home for the secrets. The search index contains the record too, so it is updated
 * first.
 */
async function proveEverywhere(
  ctx: Given<'machine' | 'memory'>,
  store: Store,
  plan: SecretPlan,
): Promise<{ searched: number; left: string[]; elsewhere: string[] }> {
  const { searched, left } = await proveRedaction(store, ctx.redactor, plan.lookFor)
  if (plan.lookFor.length === 0) return { searched, left: [...left], elsewhere: [] }
  const parts = await ctx.upkeep()
  if ((await parts.homeFiles.find(plan.lookFor)).traces.some(({ path }) => INDEX_FILE.test(path)))
    await refreshIndex(ctx)
  const home = await parts.homeFiles.find(plan.lookFor)
  const holding = [...new Set(home.traces.map(({ path }) => path))]
  const own = holding.filter((path) => INDEX_FILE.test(path))
  const inRecord = (path: string) => path.startsWith(store.project.location)
  return {
    searched: searched + home.searched,
    left: [...left, ...own],
    elsewhere: holding.filter((path) => !INDEX_FILE.test(path) && !inRecord(path)),
  }
}

async function refreshIndex(ctx: Given<'machine' | 'memory'>): Promise<void> {
  const { busy } = await (await ctx.memory()).update({ collections: ['record'], embed: false, progress: ctx.progress })
  if (busy)
    throw new AppError('unavailable', 'The record is clean, but another process blocks the search index update.', {
      hint: 'Run `ken redact` again when that process has ended.',
    })
  await (await ctx.upkeep()).space.reclaim()
}
