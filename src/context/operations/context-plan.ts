import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { compileContext } from '../compile-context.ts'
import { DUE_WORDS, type DueReason } from '../domain/context-project/due-items.ts'
import type { ContextProject } from '../ports/context-project.ts'
import {
  configChange,
  configDiagnostic,
  planConfig,
  untrustedEntry,
  untrustedIn,
  textField,
  textGiven,
} from './planned-config.ts'
import { projectRoot, readProjectText, versionOf, writtenText } from './project-text.ts'

const plannedSource = z.object({
  source: z.string(),
  listed: z.number(),
  due: z.array(z.object({ item: z.string(), reason: z.string() })),
  unchanged: z.number(),
  removed: z.number(),
  billed_bytes: z.number().optional(),
  error: z.string().optional(),
})

const output = {
  root: z.string(),
  version: z.string().describe('Hash of the current ken.yaml.'),
  usable: z.boolean(),
  diagnostics: z.array(configDiagnostic),
  changes: configChange,
  untrusted: z.array(untrustedEntry).describe('Required permissions.'),
  sources: z.array(plannedSource).optional().describe('With compile: what a sync would do.'),
  removed: z.array(z.string()).optional().describe('With compile: items that a sync would remove.'),
}

type PlanOutput = z.output<z.ZodObject<typeof output>>

export const contextPlan = defineOperation({
  name: 'context_plan',
  title: 'Try a ken.yaml',
  summary: 'Validate a ken.yaml and show what it would change (writes nothing).',
  details:
    'Checks the given text, or the current file. With --compile the trusted sources are opened and listed, as by `ken sync --dry-run`.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'context', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    ...textField,
    compile: z.boolean().default(false).describe('Also list what a sync would fetch and remove.'),
  },
  output,
  examples: [
    { title: 'The file as it is', input: {} },
    { title: 'A text', input: { text: 'name: shop\n' } },
  ],
  async run(ctx, input): Promise<PlanOutput> {
    const root = await projectRoot(ctx)
    const raw = await readProjectText(ctx, root, 'ken.yaml')
    const isGiven = input.text !== undefined || input.stdin
    const { text, refused } = isGiven ? tried(await textGiven(ctx, input), raw) : { text: raw ?? '', refused: [] }
    const planned = await planConfig(ctx, text, raw)
    const isUsable = planned.config !== undefined
    const env = (await ctx.scout.text(`${root}/.env`, LARGEST_ENV)) ?? ''
    const project = isUsable ? await ctx.contextProject(root, { yaml: text, env }) : undefined
    return {
      root,
      version: versionOf(raw),
      usable: isUsable && refused.length === 0,
      diagnostics: [...refused, ...planned.diagnostics],
      changes: planned.changes,
      untrusted: project === undefined ? [] : untrustedIn(ctx, project),
      ...(input.compile && project !== undefined && (await compiled(ctx, project))),
    }
  },
  render: renderPlan,
  exit: (output) => (output.usable && output.diagnostics.length === 0 ? 0 : 1),
})

const LARGEST_ENV = 1024 * 1024

/** A text that cannot be saved is still checked; the reasons against saving are reported with the rest. */
function tried(
  given: string,
  raw: string | undefined,
): { readonly text: string; readonly refused: readonly z.output<typeof configDiagnostic>[] } {
  try {
    return { text: writtenText(given, raw), refused: [] }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const line = Number(thrown.details?.['line'] ?? 1)
    const place = { line, column: 1, end_line: line, end_column: 1 }
    return { text: given, refused: [{ ...place, message: thrown.message, hint: thrown.hint ?? '' }] }
  }
}

async function compiled(
  ctx: Given<'analyst'>,
  project: ContextProject,
): Promise<Pick<PlanOutput, 'sources' | 'removed'>> {
  const report = await compileContext(project, {
    only: [],
    threads: 4,
    write: false,
    force: false,
    now: () => ctx.clock.now(),
    language: ctx.models.language,
    signal: ctx.signal,
    progress: ctx.progress,
  })
  return {
    sources: report.sources.map(({ source, listed, unchanged, removed, billed_bytes: billed, error }) => ({
      source,
      listed,
      due: report.due.filter((one) => one.source === source).map(({ item, reason }) => ({ item, reason })),
      unchanged,
      removed,
      ...(billed !== undefined && { billed_bytes: billed }),
      ...(error !== undefined && { error }),
    })),
    removed: [...report.removed],
  }
}

function renderPlan(plan: PlanOutput): string {
  const { added, removed, changed } = plan.changes
  const lines = [
    ...plan.diagnostics.map(({ line, message, hint }) => `Line ${line}: ${message} ${hint}`.trim()),
    ...added.map((key) => `+ ${key}`),
    ...removed.map((key) => `- ${key}`),
    ...changed.map((key) => `~ ${key}`),
    ...plan.untrusted.map(({ entry, reaches }) => `${entry} must be trusted first: ${reaches.join(', ')}`),
    ...(plan.sources ?? []).flatMap(({ source, listed, due, error }) => [
      `${source}: ${error ?? `${plural(listed, 'item')}, ${due.length} to fetch`}`,
      ...due.slice(0, SHOWN).map(({ item, reason }) => `  ${item} (${DUE_WORDS[reason as DueReason] ?? reason})`),
      ...(due.length > SHOWN ? [`  and ${due.length - SHOWN} more`] : []),
    ]),
    ...(plan.removed ?? []).map((item) => `would be removed: ${item}`),
  ]
  return lines.join('\n') || 'Nothing is wrong, and nothing would change.'
}

const SHOWN = 20
