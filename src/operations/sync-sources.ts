import { z } from 'zod'
import { checkSemantics } from '../core/context-project/semantics.ts'
import { plainSecrets } from '../core/context-project/references.ts'
import { ellipsis, plural } from '../core/text.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { toAppError } from './call.ts'
import { compileContext } from './compile/compile-context.ts'
import type { Context } from './context.ts'
import { indexContext } from './index-context.ts'
import { defineOperation, FOR_PEOPLE } from './operation.ts'

const failure = z.object({ source: z.string(), item: z.string(), message: z.string() })

const syncOutput = {
  root: z.string(),
  wrote: z.boolean(),
  collection: z.string().optional().describe('Under which the memory searches it from now on.'),
  check: z.boolean(),
  sources: z.array(
    z.object({
      source: z.string(), listed: z.number(), written: z.number(), unchanged: z.number(), removed: z.number(), failed: z.number(), milliseconds: z.number(), error: z.string().optional(),
    }),
  ),
  due: z.array(z.object({ source: z.string(), item: z.string(), reason: z.string() })),
  removed: z.array(z.string()),
  failures: z.array(failure),
  kept: z.array(z.string()).describe('Hand-made or edited files that stand where Ken would write.'),
  skipped: z.array(failure),
  warnings: z.array(z.string()),
  redacted: z.number().describe('Secrets that were masked.'),
  files: z.number(),
  tokens: z.number(),
  slow: z.array(z.object({ item: z.string(), milliseconds: z.number() })),
}

type SyncOutput = z.output<z.ZodObject<typeof syncOutput>>

export const syncSources = defineOperation({
  name: 'sync_sources',
  title: 'Compile the sources',
  summary: 'Compile databases, repositories and documents into the files of the context project.',
  details:
    'Only what changed is fetched. Only files that the manifest owns are replaced or removed; hand-made and edited files stay. When a source cannot be reached its old files stay and say so, the others go on, and the exit code is 1. --check writes nothing and exits 1 if anything would change.',
  effect: 'write',
  toolset: 'desk',
  hiddenFrom: FOR_PEOPLE,
  command: ['sync sources', 'sync'],
  input: {
    only: z.array(z.string()).default([]).describe('A source by name, or name:glob for some of its tables or files.'),
    threads: z.number().int().min(1).max(64).default(4).describe('How many tables, pages or files are fetched at once.'),
    check: z.boolean().default(false).describe('Write nothing; exit 1 if anything would change.'),
    dry_run: z.boolean().default(false).describe('Write nothing; say what would be done.'),
    force: z.boolean().default(false).describe('Fetch everything again.'),
    watch: z.boolean().default(false).describe('Go on until stopped.'),
    every: z.number().int().min(1).max(86_400).default(60).describe('Seconds between two looks with --watch.'),
  },
  output: syncOutput,
  examples: [{ title: 'Everything that changed', input: {} }, { title: 'Some tables of one database', input: { only: ['shop:order*'] } }],
  async run(ctx, input) {
    const output = await syncOnce(ctx, input)
    while (input.watch && ctx.signal?.aborted !== true) {
      await new Promise((go) => setTimeout(go, input.every * 1000))
      // A ken.yaml that is being edited, or another run, must not end the watch.
      const said = await syncOnce(ctx, { ...input, force: false }).then(conclusion, (thrown: unknown) => toAppError(thrown).line)
      ctx.progress(`${said} Looking again in ${input.every} s.`, 0, 0)
    }
    return output
  },
  render: renderSync,
  exit: (output) => (output.failures.length > 0 || (output.check && (output.due.length > 0 || output.removed.length > 0)) ? 1 : 0),
})

interface SyncInput {
  readonly only: readonly string[]
  readonly threads: number
  readonly check: boolean
  readonly dry_run: boolean
  readonly force: boolean
}

async function syncOnce(ctx: Context, input: SyncInput): Promise<SyncOutput> {
  const project = await ctx.contextProject()
  const write = !input.check && !input.dry_run
  const report = await compileContext(project, { only: input.only, threads: input.threads, write, force: input.force, now: () => ctx.clock.now(), progress: ctx.progress })
  const collection = write ? indexContext(ctx, project) : undefined
  const manifest = [...(await project.tree.load()).values()]
  const files = manifest.flatMap((entry) => entry.files)
  const sources = report.sources.map((source) => ({ ...source }))
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
    redacted: report.redacted,
    files: files.length,
    tokens: files.reduce((sum, file) => sum + file.tokens, 0),
    slow: [...report.slow],
  }
}

async function warningsOf(project: ContextProject): Promise<string[]> {
  const secrets = plainSecrets(project.config).map((field) => `ken.yaml: ${field} holds a secret as it is. Put it into .env and write \${NAME} here.`)
  const tables = [...(await project.tree.load()).values()].flatMap((entry) => (entry.table === undefined ? [] : [entry.table]))
  const files = (await project.files.list('semantics')).filter((file) => /\.ya?ml$/.test(file.path))
  const semantics = await Promise.all(files.map(async (file) => checkSemantics(file.path, await project.files.read(file.path), tables)))
  return [...secrets, ...semantics.flat()]
}

const SHOWN = 20

function renderSync(output: SyncOutput): string {
  const width = Math.max(0, ...output.sources.map((source) => source.source.length))
  const rows = output.sources.map((source) => `  ${source.source.padEnd(width)}  ${source.error ?? countsOf(source, output.wrote)}  ${(source.milliseconds / 1000).toFixed(1)} s`)
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.slice(0, SHOWN).map((line) => `  ${line}`), ...(lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more`] : [])]
  return [
    ...rows,
    ...(output.wrote ? [] : list('Would be fetched:', output.due.map(({ source, item, reason }) => `${source} ${item} (${reason})`))),
    ...list(output.wrote ? 'Removed, because the source no longer has them:' : 'Would be removed:', output.removed),
    ...list('Failed; the old files stay and are marked as old:', output.failures.map(({ source, item, message }) => `${[source, item].filter(Boolean).join(' ')}: ${ellipsis(message, 300)}`)),
    ...list('Left alone, because they were made or edited by hand:', output.kept),
    ...list('Skipped:', output.skipped.map(({ item, message }) => `${item}: ${message}`)),
    ...list('Slow:', output.slow.map(({ item, milliseconds }) => `${item} ${(milliseconds / 1000).toFixed(1)} s`)),
    ...list('Look at these:', output.warnings),
    '',
    conclusion(output),
  ].join('\n')
}

function countsOf(source: SyncOutput['sources'][number], wrote: boolean): string {
  const parts = [
    plural(source.listed, 'item'),
    source.written > 0 ? `${source.written} ${wrote ? 'written' : 'to fetch'}` : '',
    source.unchanged > 0 ? `${source.unchanged} unchanged` : '',
    source.removed > 0 ? `${source.removed} ${wrote ? 'removed' : 'to remove'}` : '',
    source.failed > 0 ? `${source.failed} failed` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

function conclusion(output: SyncOutput): string {
  if (output.wrote) {
    const masked = output.redacted > 0 ? ` ${plural(output.redacted, 'secret')} masked.` : ''
    const searched = output.collection === undefined ? '' : ` The memory searches them as the collection "${output.collection}".`
    return `${plural(output.files, 'file')}, about ${output.tokens.toLocaleString('en-US')} tokens, in ${output.root}; llms.txt lists them.${masked}${searched}`
  }
  const changes = output.due.length + output.removed.length
  return changes === 0 ? 'Up to date.' : `${plural(changes, 'item')} would change; nothing was written.`
}
