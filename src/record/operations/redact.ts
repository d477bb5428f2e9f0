import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { planRedaction, redactRecord } from '../redact.ts'
import { wordsRedactor } from '../words-redactor.ts'
import { finishInterrupted, proveEverywhere } from './clean-traces.ts'
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
