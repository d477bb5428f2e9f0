import { z } from 'zod'
import { orStopped } from '../../kernel/domain/stop.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { allowedTables } from './sql-scope.ts'
import { testModels } from './test-models.ts'
import { checkLine, sourceCheck, testSource } from './test-source.ts'

export const debug = defineOperation({
  name: 'debug',
  title: 'Test the connections',
  summary: 'Test every source and model, with a fix for each that fails.',
  details: 'Includes which optional packages are installed.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'context', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    role: z.boolean().default(false).describe('Also print SQL that creates a role limited to the context’s tables.'),
  },
  output: {
    root: z.string().optional(),
    checks: z.array(sourceCheck),
    notes: z.array(z.string()),
    packages: z
      .array(z.object({ name: z.string(), serves: z.string(), version: z.string().optional() }))
      .describe('Loaded only when they are used; without a version they are not installed.'),
    roles: z.array(
      z.object({ database: z.string(), sql: z.array(z.string()).optional(), instead: z.string().optional() }),
    ),
  },
  examples: [
    { title: 'Everything that is set up', input: {} },
    { title: 'With the SQL for a role that only reads', input: { role: true } },
  ],
  async run(ctx, input) {
    const project = await ctx.contextProject().catch((thrown: unknown) => {
      if (toAppError(thrown).code !== 'not_found') throw thrown
      return undefined
    })
    const testing = Promise.all([
      Promise.all((project?.sources ?? []).map((source) => testSource(project!, source))),
      testModels(ctx),
    ])
    const [sources, models] = await orStopped(testing, ctx.signal)
    const notes = [
      ...(project === undefined
        ? ['No context project here (`ken init --context` makes one).']
        : project.sources.length === 0
          ? ['ken.yaml names no source yet. `ken source add` shows what there is to add.']
          : []),
      ...(models.some(({ name }) => !name.startsWith('embedder'))
        ? []
        : ['No language model and no reranker is set, and none is needed.']),
    ]
    const roles =
      project === undefined || !input.role
        ? []
        : await Promise.all(project.config.databases.map(({ name }) => offerRole(project, name)))
    return {
      ...(project !== undefined && { root: project.root }),
      checks: [...sources, ...models],
      notes,
      packages: ctx
        .optionalPackages()
        .map(({ name, serves, version }) => ({ name, serves, ...(version !== undefined && { version }) })),
      roles,
    }
  },
  render(output, _input, view = PLAIN) {
    const rows = output.checks.map((one) => checkLine(one, view))
    const roles = output.roles.flatMap(({ database, sql, instead }) =>
      sql === undefined
        ? [`-- ${database}: ${instead}.`]
        : [
            '',
            `-- ${database}: a role that may read the context and nothing else. Choose a password, run this as an administrator, then let ken.yaml use the role.`,
            ...sql.map((line) => `${line};`),
          ],
    )
    return [...rows, ...output.notes, ...packageLines(output.packages), ...roles].join('\n')
  },
  exit: (output) => (output.checks.every((one) => one.ok) ? 0 : 1),
})

function packageLines(packages: readonly { name: string; serves: string; version?: string | undefined }[]): string[] {
  const [present, absent] = [true, false].map((wanted) =>
    packages.filter((one) => (one.version !== undefined) === wanted),
  )
  return [
    ...(present!.length === 0 ? [] : [`Installed: ${present!.map(({ name }) => name).join(', ')}.`]),
    ...(absent!.length === 0
      ? []
      : [
          `Not installed: ${absent!.map(({ name, serves }) => `${name} (${serves})`).join(', ')}. \`npm install <name>\` beside Ken adds one.`,
        ]),
  ]
}

async function offerRole(
  project: ContextProject,
  database: string,
): Promise<{ database: string; sql?: string[]; instead?: string }> {
  try {
    const [warehouse, tables] = await Promise.all([project.warehouse(database), allowedTables(project, database)])
    if (tables.length === 0) return { database, instead: 'nothing of it is compiled yet: run `ken sync` first' }
    const role = warehouse.dialect.role({ tables, quote: warehouse.quote })
    return 'sql' in role ? { database, sql: [...role.sql] } : { database, instead: role.instead }
  } catch (thrown) {
    return { database, instead: (await project.redact(toAppError(thrown).message)).text }
  }
}
