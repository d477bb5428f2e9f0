import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { posixWord } from '../../kernel/domain/shell-word.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { CONTEXT_FOLDER } from '../domain/context-project/scaffold.ts'
import { addedSource, addSources, changesOfSources, planAll } from './add-sources.ts'
import { addedLines } from './added-lines.ts'
import { chooseSources } from './choose-sources.ts'
import { foundLines, foundSource, offersIn } from './find-here.ts'
import { makeContextProject } from './init-context.ts'

const addOutput = {
  root: z.string().optional(),
  outcome: z.enum(['added', 'found', 'nothing']),
  added: z.array(addedSource),
  found: z.array(foundSource).describe('Possible sources, without an argument.'),
}

type AddOutput = z.output<z.ZodObject<typeof addOutput>>

export const sourceAdd = defineOperation({
  name: 'source_add',
  title: 'Add a source',
  summary: 'Add a database, dbt project, repository or documents to ken.yaml.',
  details:
    'Takes what you have: a file (shop.duckdb), a folder (./analytics), an address (postgres://app@db.example/crm, https://github.com/acme/web), a variable that holds one (DATABASE_URL), or any kind of source with its fields (snowflake account=… user=… database=…). Comments and order of ken.yaml stay. A password goes into .env, for its owner alone, and ken.yaml gets its name. What you add is trusted; other entries are not. `ken source remove` takes it out again.',
  effect: 'write',
  words: 'own',
  needs: ['context', 'machine', 'record'],
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  async fromPage(ctx, input) {
    if (input.what.length === 0) return []
    const project = await ctx.contextProject().catch(absent)
    return project === undefined ? [] : changesOfSources(ctx, project.root, { ...input, given: [input.what] })
  },
  positional: ['what'],
  input: {
    what: z
      .array(z.string().min(1).max(4096))
      .max(50)
      .default([])
      .describe('A file, folder, address or variable; or a kind and field=value.'),
    name: z.string().min(1).max(63).optional().describe('Name in ken.yaml; default: derived from the source.'),
    include: z.array(z.string()).default([]).describe('Globs: only these tables or files.'),
    exclude: z.array(z.string()).default([]).describe('Globs: all but these.'),
    test: z.boolean().optional().describe('Connect to it now. Files are opened anyway, servers after asking.'),
    yes: z.boolean().default(false).describe('Do not ask.'),
  },
  output: addOutput,
  examples: [
    { title: 'A database file', input: { what: ['shop.db'], name: 'second' } },
    { title: 'List possible sources', input: {} },
  ],
  async run(ctx, input): Promise<AddOutput> {
    const isAsking = ctx.confirm !== undefined && ctx.ask !== undefined && !input.yes
    if (input.what.length === 0 && !isAsking) {
      const found = (await offersIn(ctx, await folderHere(ctx))).map(({ shown }) => shown)
      return { outcome: found.length === 0 ? 'nothing' : 'found', added: [], found }
    }
    const root = await projectHere(ctx, input.what)
    const added =
      input.what.length === 0
        ? await chooseSources(ctx, root)
        : await addSources(ctx, root, { ...input, given: [input.what] })
    return { root, outcome: added.length === 0 ? 'nothing' : 'added', added: [...added], found: [] }
  },
  render(output, _input, view = PLAIN) {
    if (output.outcome === 'added')
      return [...output.added.flatMap((one) => addedLines(one, view)), '', 'Next: `ken sync` compiles it.'].join('\n')
    if (output.outcome === 'found') return ['There is to add:', ...foundLines(output.found)].join('\n')
    return output.root === undefined
      ? 'Nothing was found here. Name it: `ken source add shop.duckdb`, `ken source add postgres://app@host/database`.'
      : 'Nothing was added.'
  },
  exit: (output) => (output.outcome === 'nothing' || output.added.some(({ check }) => check?.ok === false) ? 1 : 0),
})

async function folderHere(ctx: Given<'context' | 'machine'>): Promise<string> {
  const project = await ctx.contextProject().catch(absent)
  return project?.root ?? (await ctx.scout.look(ctx.cwd))?.place ?? ctx.cwd
}

async function projectHere(ctx: Given<'context' | 'machine' | 'record'>, what: readonly string[]): Promise<string> {
  const project = await ctx.contextProject().catch(absent)
  if (project !== undefined) return project.root
  // If a repository has a record, the context project is created beside it.
  const repository = await ctx.repository()
  if (repository !== undefined && (await ctx.projects.find({ directory: ctx.cwd })) !== undefined) {
    // A misspelled source must not create a project.
    if (what.length > 0) await planAll(ctx, `${repository.root}/${CONTEXT_FOLDER}`, { given: [what], yes: false })
    return (await makeContextProject(ctx, NO_SOURCES, { asks: false })).root
  }
  const isWanted = await ctx.confirm?.(`There is no context project here yet.\nMake one in ${ctx.cwd}?`)
  if (isWanted === true) return (await makeContextProject(ctx, NO_SOURCES)).root
  throw new AppError('not_found', 'Not a context project: no ken.yaml here or in a parent folder.', {
    hint: `Create a context project with it: \`ken init --context${what.length === 1 ? ` --source ${posixWord(what[0]!)}` : ''}\`.`,
  })
}

const NO_SOURCES = { database: [], repository: [], docs: [], source: [] }

function absent(thrown: unknown): undefined {
  if (toAppError(thrown).code !== 'not_found') throw thrown
  return undefined
}
