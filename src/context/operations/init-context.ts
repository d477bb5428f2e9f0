import { z } from 'zod'
import { newTestFiles } from '../../evaluation/domain/tests-schema.ts'
import { keepTestsSchema } from '../../evaluation/operations/keep-tests-schema.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { refuseOnPage, type Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { CONTEXT_FOLDER, FOLDERS, scaffoldFiles, subjectOf } from '../domain/context-project/scaffold.ts'
import { withSources } from '../write-source.ts'
import { addedSource, addSources, changesOfSources, planAll } from './add-sources.ts'
import { addedLines } from './added-lines.ts'
import { chooseSources } from './choose-sources.ts'
import { foundLines, foundSource, offersIn } from './find-here.ts'

export const contextFields = {
  folder: z
    .string()
    .optional()
    .describe(`Folder to create it in; default: here, or in a git repository ${CONTEXT_FOLDER}.`),
  source: z
    .array(z.string())
    .default([])
    .describe('What to compile, as for `ken source add`: a file, a folder, an address, a variable.'),
  database: z
    .array(z.string())
    .default([])
    .describe('[name=]type:where, e.g. duckdb:shop.duckdb or shop=postgres:${DATABASE_URL}.'),
  repository: z.array(z.string()).default([]).describe('[name=]address or folder.'),
  docs: z.array(z.string()).default([]).describe('[name=]address or folder with documents.'),
}

export const contextOutput = {
  added: z.array(addedSource),
  found: z.array(foundSource).describe('Further possible sources.'),
}

export const initContext = defineOperation({
  name: 'init_context',
  title: 'Make a context project',
  summary: 'Create a context project, the folder `ken sync` compiles sources into.',
  details: `Writes ken.yaml, .kenignore, RULES.md and the folders ${FOLDERS.join(', ')}. What is there already stays as it is; sources that are named are added to it. At a terminal it shows what there is to add, and asks. \`ken init --context\` is the same.`,
  effect: 'write',
  words: 'own',
  needs: ['context', 'machine', 'record'],
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  async fromPage(ctx, input) {
    const given = wordsOf(input)
    if (given.length === 0) return []
    const project = await ctx.contextProject().catch(() => undefined)
    if (project?.root === ctx.cwd) return changesOfSources(ctx, project.root, { given, yes: false })
    return given.flat().map((after) => ({ what: 'source', after }))
  },
  positional: ['name'],
  input: {
    name: z.string().min(1).max(120).optional().describe('The project name; the folder name by default.'),
    ...contextFields,
  },
  output: {
    root: z.string(),
    name: z.string(),
    created: z.array(z.string()),
    kept: z.array(z.string()),
    ...contextOutput,
  },
  examples: [{ title: 'For a DuckDB file', input: { name: 'shop', database: ['duckdb:shop.duckdb'] } }],
  async run(ctx, input) {
    refuseOnPage(ctx, 'folder', input.folder !== undefined)
    return makeContextProject(ctx, input)
  },
  render: (output, _input, view = PLAIN) =>
    [
      `${output.created.includes('ken.yaml') ? 'Made' : 'There is already'} the context project "${output.name}" in ${output.root}`,
      ...(output.kept.length > 0 ? [`Left as they are: ${output.kept.join(', ')}`] : []),
      ...renderSources(output, view),
      '',
      'Next:',
      ...nextSteps(output).map((step) => `  ${step}`),
    ].join('\n'),
})

type Sources = z.output<z.ZodObject<typeof contextOutput>>

/** Sources that were added, and others that were found. */
export const renderSources = ({ added, found }: Sources, view: View): string[] => [
  ...added.flatMap((one) => ['', ...addedLines(one, view)]),
  ...(found.length === 0 ? [] : ['', 'There is to add:', ...foundLines(found)]),
]

export const nextSteps = ({ added }: Sources): readonly string[] =>
  added.length === 0
    ? ['ken source add     what to compile: a database, a dbt project, a repository, documents', SYNC]
    : ['ken source test    test every connection', SYNC]

const SYNC = 'ken sync           compile the sources into files'

interface ContextRequest {
  readonly name?: string | undefined
  readonly folder?: string | undefined
  readonly source: readonly string[]
  readonly database: readonly string[]
  readonly repository: readonly string[]
  readonly docs: readonly string[]
}

export interface MadeContext extends Sources {
  root: string
  name: string
  created: string[]
  kept: string[]
}

export async function makeContextProject(
  ctx: Given<'context' | 'machine' | 'record'>,
  input: ContextRequest,
  { asks = true }: { readonly asks?: boolean } = {},
): Promise<MadeContext> {
  const root = await rootOf(ctx, input.folder)
  const name = input.name ?? folderName(root)
  const request = { given: wordsOf(input), yes: false }
  // Before anything is written, so that a misspelled file does not leave half a project.
  await planAll(ctx, (await ctx.scout.look(root))?.place ?? root, request)
  const files = scaffoldFiles(name, await ctx.contextDefinitions(), newTestFiles())
  // The folder may contain tests of another program, which would read ours.
  const hasTests = ((await ctx.files.list(`${root}/tests`)) ?? []).length > 0
  // Below `.ken` there are no empty folders: each is created with its first file.
  const isInside = subjectOf(root) !== root
  const wanted = Object.entries(files).filter(
    ([path]) => (!hasTests || !path.startsWith('tests/')) && !(isInside && path.endsWith('/.gitkeep')),
  )
  const { created, kept } = await writeFiles(ctx, root, Object.fromEntries(wanted))
  await keepTestsSchema(ctx.configFiles, { root, within: 'tests' })
  const isMade = created.includes('ken.yaml')
  const isAsking = asks && isMade && request.given.length === 0 && ctx.confirm !== undefined && ctx.ask !== undefined
  const added = isAsking ? await chooseSources(ctx, root) : await addSources(ctx, root, request)
  const found =
    isAsking || request.given.length > 0
      ? []
      : (await offersIn(ctx, (await ctx.contextProject(root)).root)).map(({ shown }) => shown)
  return { root, name, created, kept, added: [...added], found }
}

/** Files that a new context project with these sources would have: path, and text before and after each source. */
export async function previewContext(
  ctx: Given<'context' | 'machine' | 'record'>,
  root: string,
  given: readonly (readonly string[])[],
): Promise<{ readonly files: Readonly<Record<string, string>>; readonly configs: readonly string[] }> {
  const rules = await ctx.contextDefinitions()
  const made = scaffoldFiles(folderName(root), rules, newTestFiles())
  const configs = [made['ken.yaml']!]
  for (const words of given) {
    const yaml = configs.at(-1)!
    // A source that cannot be planned is reported when it is added.
    const planned = await planAll(ctx, root, { given: [words], yes: true }).catch(() => [])
    const parts = { rules, typed: {}, variable: (name: string) => ctx.scout.variable(name), isRepository: false }
    configs.push(withSources({ yaml, env: '', ignored: '' }, planned, parts).write.yaml ?? yaml)
  }
  return { files: made, configs }
}

/** A repository gets one folder below `.ken`, beside its record, so that its files are not mixed with Ken's. */
async function rootOf(ctx: Given<'machine' | 'record'>, folder: string | undefined): Promise<string> {
  if (folder !== undefined) return ctx.pathNamed(folder)
  const repository = await ctx.repository()
  const isMade = repository === undefined || (await ctx.scout.look(`${ctx.cwd}/ken.yaml`)) !== undefined
  return isMade ? ctx.cwd : `${repository.root}/${CONTEXT_FOLDER}`
}

const folderName = (root: string): string =>
  subjectOf(root)
    .split(/[/\\]/)
    .findLast((part) => part !== '') ?? 'context'

async function writeFiles(
  ctx: Given<'machine'>,
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<{ created: string[]; kept: string[] }> {
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
  return { created, kept }
}

/** `--repository web=../web` is `web=repository:../web` to `ken source add`. */
function wordsOf({ source, database, repository, docs }: ContextRequest): string[][] {
  const asKind = (kind: string) => (text: string) =>
    text.replace(/^(?:([A-Za-z0-9][\w.-]*)=)?/, (prefix) => `${prefix}${kind}:`)
  return [...database, ...repository.map(asKind('repository')), ...docs.map(asKind('docs')), ...source].map((word) => [
    word,
  ])
}
