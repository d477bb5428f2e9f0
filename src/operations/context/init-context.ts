import { z } from 'zod'
import { isAbsolutePath } from '../../core/below-folder.ts'
import { FOLDERS, scaffoldFiles } from '../../core/context-project/scaffold.ts'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../ports/context.ts'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'
import { trustOwn } from './trust.ts'

export const contextFields = {
  folder: z.string().optional().describe('Where to make it; here by default.'),
  database: z
    .array(z.string())
    .default([])
    .describe('[name=]type:where, e.g. duckdb:shop.duckdb or shop=postgres:${DATABASE_URL}.'),
  repository: z.array(z.string()).default([]).describe('[name=]address or folder.'),
  docs: z.array(z.string()).default([]).describe('[name=]address or folder with documents.'),
}

export const initContext = defineOperation({
  name: 'init_context',
  title: 'Make a context project',
  summary: 'Make a context project: the folder that `ken sync` compiles databases, repositories and documents into.',
  details: `Writes ken.yaml, .kenignore, RULES.md and the folders ${FOLDERS.join(', ')}. What is there already stays as it is. \`ken init --context\` is the same.`,
  effect: 'write',
  words: 'own',
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: {
    name: z.string().min(1).max(120).optional().describe('The project name; the folder name by default.'),
    ...contextFields,
  },
  output: { root: z.string(), name: z.string(), created: z.array(z.string()), kept: z.array(z.string()) },
  examples: [{ title: 'For a DuckDB file', input: { name: 'shop', database: ['duckdb:shop.duckdb'] } }],
  run: (ctx, input) => makeContextProject(ctx, input),
  render: (output) =>
    [
      `${output.created.includes('ken.yaml') ? 'Made' : 'There is already'} the context project "${output.name}" in ${output.root}`,
      ...(output.kept.length > 0 ? [`Left as they are: ${output.kept.join(', ')}`] : []),
      '',
      'Next:',
      '  ken debug          test every connection',
      '  ken sync           compile the sources into files',
    ].join('\n'),
})

interface ContextRequest {
  readonly name?: string | undefined
  readonly folder?: string | undefined
  readonly database: readonly string[]
  readonly repository: readonly string[]
  readonly docs: readonly string[]
}

export async function makeContextProject(
  ctx: Context,
  input: ContextRequest,
): Promise<{ root: string; name: string; created: string[]; kept: string[] }> {
  const root =
    input.folder === undefined ? ctx.cwd : isAbsolutePath(input.folder) ? input.folder : `${ctx.cwd}/${input.folder}`
  const name = input.name ?? root.split(/[/\\]/).findLast((part) => part !== '') ?? 'context'
  const files = scaffoldFiles(
    { name, databases: input.database, repositories: input.repository, docs: input.docs },
    await ctx.contextDefinitions(),
  )
  const created: string[] = []
  const kept: string[] = []
  for (const [path, text] of Object.entries(files)) {
    try {
      await ctx.files.write(`${root}/${path}`, text, { replace: false })
      created.push(path)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      kept.push(path)
    }
  }
  // A ken.yaml that was here before may have come with a clone.
  if (created.includes('ken.yaml')) trustOwn(ctx, await ctx.contextProject(root))
  return { root, name, created, kept }
}
