import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { refuseOnPage, type Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { compileContext } from '../compile-context.ts'
import { checkSemantics } from '../domain/context-project/semantics.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { watchSources } from '../watch-sources.ts'
import { changesOf, renderSync } from './render-sync.ts'

const failure = z.object({ source: z.string(), item: z.string(), message: z.string() })

const syncOutput = {
  root: z.string(),
  wrote: z.boolean(),
  collection: z.string().optional().describe('Under which the memory searches it from now on.'),
  check: z.boolean(),
  sources: z.array(
    z.object({
      source: z.string(),
      listed: z.number(),
      written: z.number(),
      unchanged: z.number(),
      removed: z.number(),
      failed: z.number(),
      files: z.number(),
      tokens: z.number(),
      milliseconds: z.number(),
      billed_bytes: z
        .number()
        .optional()
        .describe('Bytes read (with --check and --dry-run: to be read), if the engine bills them.'),
      error: z.string().optional(),
    }),
  ),
  due: z.array(z.object({ source: z.string(), item: z.string(), reason: z.string() })),
  removed: z.array(z.string()),
  failures: z.array(failure),
  kept: z.array(z.string()).describe('Handwritten or edited files in place of generated ones.'),
  skipped: z.array(failure),
  warnings: z.array(z.string()),
  stale_examples: z
    .array(z.object({ path: z.string(), question: z.string(), reason: z.string() }))
    .describe('Examples in queries/ that no longer work, each with the reason.'),
  redacted: z.number().describe('Secrets that were masked.'),
  files: z.number(),
  tokens: z.number(),
  file_tokens: z
    .array(z.object({ path: z.string(), tokens: z.number() }))
    .describe('About how many tokens each file has, most first.'),
  slow: z
    .array(z.object({ item: z.string(), milliseconds: z.number() }))
    .describe('The ten items that took longest to fetch.'),
}

export type SyncOutput = z.output<z.ZodObject<typeof syncOutput>>

export const syncSources = defineOperation({
  name: 'sync_sources',
  title: 'Compile the sources',
  summary: 'Compile databases, repositories and documents into context files.',
  details:
    'Only what changed is fetched. Only files that the manifest owns are replaced or removed; hand-made and edited files stay. When a source cannot be reached its old files stay and say so, the others go on, and the exit code is 1. --check writes nothing and exits 1 if something changed, rows included, is older than it may be, or if an example in queries/ no longer works.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context', 'machine', 'memory'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    only: z.array(z.string()).default([]).describe('A source by name, or name:glob for some of its tables or files.'),
    threads: z.number().int().min(1).max(64).default(4).describe('Tables, pages or files fetched in parallel.'),
    check: z.boolean().default(false).describe('Write nothing; exit 1 if something changed or is too old.'),
    dry_run: z.boolean().default(false).describe('Write nothing; show what would be done.'),
    force: z.boolean().default(false).describe('Fetch everything again.'),
    watch: z.boolean().default(false).describe('Keep running and compile changes.'),
    every: z.number().int().min(1).max(86_400).default(60).describe('With --watch: seconds between checks.'),
  },
  output: syncOutput,
  examples: [
    { title: 'Everything that changed', input: {} },
    { title: 'Some tables of one database', input: { only: ['shop:order*'] } },
  ],
  async run(ctx, input) {
    refuseOnPage(ctx, 'watch', input.watch)
    let output = await syncOnce(ctx, input)
    if (!input.watch) return output
    ctx.progress(renderSync(output), 0, 0)
    const look = async (): Promise<string | undefined> => {
      output = await syncOnce(ctx, { ...input, force: false })
      return changesOf(output)
    }
    await watchSources(ctx, (await ctx.upkeep()).watcher, { every: input.every, look })
    return output
  },
  render: renderSync,
  exit: (output) =>
    output.failures.length > 0 ||
    (output.check && output.due.length + output.removed.length + output.stale_examples.length > 0)
      ? 1
      : 0,
})

interface SyncInput {
  readonly only: readonly string[]
  readonly threads: number
  readonly check: boolean
  readonly dry_run: boolean
  readonly force: boolean
}

async function syncOnce(ctx: Given<'analyst' | 'context' | 'memory'>, input: SyncInput): Promise<SyncOutput> {
  const project = await ctx.contextProject()
  const write = !input.check && !input.dry_run
  const report = await compileContext(project, {
    only: input.only,
    threads: input.threads,
    write,
    force: input.force,
    check: input.check,
    now: () => ctx.clock.now(),
    language: ctx.models.language,
    signal: ctx.signal,
    progress: ctx.progress,
  })
  const collection = write ? indexContext(ctx, project) : undefined
  const manifest = [...(await project.tree.load()).values()]
  const files = manifest.flatMap((entry) => entry.files)
  const filesOf = Map.groupBy(manifest, (entry) => entry.source)
  const sources = report.sources.map((source) => {
    const own = filesOf.get(source.source)?.flatMap((entry) => entry.files) ?? []
    return { ...source, files: own.length, tokens: tokensOf(own) }
  })
  return {
    root: project.root,
    wrote: write,
    ...(collection !== undefined && { collection }),
    check: input.check,
    sources,
    due: [...report.due],
    removed: [...report.removed],
    failures: [...report.failures],
    kept: [...report.kept],
    skipped: [...report.skipped],
    warnings: await warningsOf(project),
    stale_examples: report.staleExamples.map((one) => ({ ...one })),
    redacted: report.redacted,
    files: files.length,
    tokens: tokensOf(files),
    file_tokens: files
      .map(({ path, tokens }) => ({ path, tokens }))
      .toSorted((a, b) => b.tokens - a.tokens || (a.path < b.path ? -1 : 1)),
    slow: report.took
      .toSorted((a, b) => b.milliseconds - a.milliseconds)
      .slice(0, MOST_SLOW)
      .map((one) => ({ ...one })),
  }
}

const MOST_SLOW = 10

const tokensOf = (files: readonly { readonly tokens: number }[]): number =>
  files.reduce((sum, file) => sum + file.tokens, 0)

async function warningsOf(project: ContextProject): Promise<string[]> {
  const tables = [...(await project.tree.load()).values()].flatMap((entry) =>
    entry.table === undefined ? [] : [entry.table],
  )
  const files = (await project.files.list('semantics')).filter((file) => /\.ya?ml$/.test(file.path))
  const semantics = await Promise.all(
    files.map(async (file) => checkSemantics(file.path, await project.files.read(file.path), tables)),
  )
  return semantics.flat()
}

const PATTERN = '{RULES.md,{databases,queries,docs,semantics,repos}/**/*.{md,sql,yaml,yml,txt}}'

/** Makes the compiled tree searchable by the memory; returns the collection's name if it is new. */
function indexContext(ctx: Given<'memory'>, project: ContextProject): string | undefined {
  const { collections } = ctx.collections.list()
  if (collections.some((collection) => collection.path === project.root)) return undefined
  const plain =
    project.config.name
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[^\p{L}\p{N}]+/gu, '')
      .slice(0, 40) || 'context'
  for (const name of [plain, `${plain}-${sha256(project.root).slice(0, 8)}`]) {
    try {
      return ctx.collections.add(
        { name, path: project.root, pattern: PATTERN, origin: 'context', workspace: project.root },
        ctx.cwd,
      ).name
    } catch (error) {
      // The name is taken by another folder, or by Ken itself.
      if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'invalid_input')) throw error
    }
  }
  return undefined
}
