import { parseEnv } from 'node:util'
import { z } from 'zod'
import { isAbsolutePath, isBelow } from '../../kernel/domain/below-folder.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { PageChange } from '../../kernel/ports/page-changes.ts'
import type { Given } from '../../operations/context.ts'
import { referredNames } from '../domain/context-project/references.ts'
import { plainSecrets } from '../domain/context-project/secret-fields.ts'
import { isTrusted } from '../domain/context-project/trust.ts'
import { planSources, type PlannedSource } from '../plan-source.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { withSources, type WrittenSource } from '../write-source.ts'
import { askForFields, askForVariables, hasDefault } from './ask-for-fields.ts'
import { sourceCheck, testSource } from './test-source.ts'
import { trustOwn } from './trust.ts'

export const addedSource = z.object({
  name: z.string(),
  key: z.string(),
  already: z.boolean().describe('True if ken.yaml had it already.'),
  trusted: z.boolean(),
  reaches: z.array(z.string()).describe('Access beyond the folder.'),
  bytes: z.number().optional(),
  variables: z.array(z.string()).describe('Variables added to .env, without their values.'),
  typed: z.boolean().describe('True when a secret stood in the command itself.'),
  unset: z.array(z.string()).describe('Variables that it takes and that are not set.'),
  check: sourceCheck.optional(),
})

export type AddedSource = z.output<typeof addedSource>

export interface AddRequest {
  /** Arguments as typed: paths or addresses, or a kind and its fields. Several may be requested at once. */
  readonly given: readonly (readonly string[])[]
  readonly name?: string | undefined
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Skips all prompts. */
  readonly yes: boolean
  /** Whether to connect to sources outside this machine; prompts if undefined. */
  readonly test?: boolean | undefined
}

/**
 * Adds sources to the project in a folder, all or none. Values that the person typed are trusted; a variable from an
 * existing `.env` was not typed, so it needs confirmation.
 */
export async function addSources(
  ctx: Given<'context' | 'machine' | 'record'>,
  root: string,
  request: AddRequest,
): Promise<readonly AddedSource[]> {
  const project = await ctx.contextProject(root)
  const env = await envOf(ctx, project.root)
  const planned = await planAll(ctx, project.root, request)
  const person = request.yes ? undefined : ctx.ask
  const asked = await askForFields(person, planned)
  const typed = await askForVariables(person, asked, (name) => ctx.scout.variable(name) ?? env[name])
  const hasSecrets = Object.keys(typed).length > 0 || asked.some(holdsSecret)
  const repository = await ctx.repository()
  if (hasSecrets && (await repository?.isTracked(`${project.root}/.env`)))
    throw new AppError('forbidden', 'git tracks .env here, so a secret in it would be committed.', {
      hint: 'Untrack it with `git rm --cached .env`, or set the variable in the environment.',
    })
  const rules = await ctx.contextDefinitions()
  const written = await ctx.configFiles.change(project.root, (now) =>
    withSources(now, asked, {
      rules,
      typed,
      variable: (name) => ctx.scout.variable(name),
      isRepository: repository !== undefined,
    }),
  )
  const after = await ctx.contextProject(project.root)
  const envNow = await envOf(ctx, project.root)
  const isSet = (name: string): boolean => (ctx.scout.variable(name) ?? envNow[name]) !== undefined
  const added: AddedSource[] = []
  for (const [at, one] of written.entries())
    added.push(await settle(ctx, after, { one, planned: planned[at]!, request, isSet }))
  return added
}

/**
 * New entries that reach beyond their project's folder, with the resources they access and the names added to `.env`. A
 * person confirms these when adding sources from a page.
 */
export async function changesOfSources(
  ctx: Given<'context' | 'machine'>,
  root: string,
  request: AddRequest,
): Promise<PageChange[]> {
  const planned = await planAll(ctx, root, request)
  const rules = await ctx.contextDefinitions()
  const variable = (name: string): string | undefined => ctx.scout.variable(name)
  const { texts, written } = await ctx.configFiles.change(root, (now) => {
    const { write, result } = withSources(now, planned, { rules, variable, typed: {}, isRepository: false })
    return {
      write: {},
      result: { texts: { yaml: write.yaml ?? now.yaml, env: write.env ?? now.env }, written: result },
    }
  })
  const reach = (await ctx.contextProject(root, texts)).reach()
  const known = ctx.trust.find(root)?.granted
  return written.flatMap(({ key, variables }) => {
    const lines = reach.find((one) => one.key === key)?.lines ?? []
    if (isTrusted({ key, lines }, known)) return []
    const kept = variables.map((name) => `keep ${name} in .env`)
    return [
      { what: key, after: [...lines, ...kept].join(', '), ...(known?.[key] && { before: known[key].join(', ') }) },
    ]
  })
}

const LARGEST_ENV = 1024 * 1024

/** Plans a request without opening or writing anything. */
export async function planAll(
  ctx: Given<'machine'>,
  root: string,
  request: AddRequest,
): Promise<readonly PlannedSource[]> {
  const env = await envOf(ctx, root)
  const parts = {
    rules: await ctx.contextDefinitions(),
    scout: ctx.scout,
    root,
    from: (await ctx.scout.look(ctx.cwd))?.place ?? ctx.cwd,
    pathNamed: (path: string) => ctx.pathNamed(path),
    lookup: (name: string) => ctx.scout.variable(name) ?? env[name],
  }
  const planned: PlannedSource[] = []
  for (const words of request.given) planned.push(...(await planSources(words, parts)))
  if (request.name !== undefined && planned.length > 1)
    throw new AppError('invalid_input', 'One name is not enough for several sources.', {
      hint: 'Add them one by one, or write name=… before each.',
    })
  return planned.map((one) => withFilters({ ...one, name: request.name ?? one.name }, request))
}

const envOf = async (ctx: Given<'machine'>, root: string): Promise<NodeJS.Dict<string>> =>
  parseEnv((await ctx.scout.text(`${root}/.env`, LARGEST_ENV)) ?? '')

function withFilters(source: PlannedSource, { include = [], exclude = [] }: AddRequest): PlannedSource {
  const given = { ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) }
  const unknown = Object.keys(given).find((field) => !source.kind.fields.includes(field))
  if (unknown !== undefined)
    throw new AppError('invalid_input', `${source.kind.word} has no option --${unknown}.`, { hint: 'Leave it out.' })
  return { ...source, fields: { ...source.fields, ...given } }
}

const holdsSecret = ({ fields, kind }: PlannedSource): boolean => plainSecrets(fields, kind.secrets).length > 0

interface Settled {
  readonly one: WrittenSource
  readonly planned: PlannedSource
  readonly request: AddRequest
  readonly isSet: (variable: string) => boolean
}

async function settle(
  ctx: Given<'machine'>,
  project: ContextProject,
  { one, planned, request, isSet }: Settled,
): Promise<AddedSource> {
  const reach = project.reach().find(({ key }) => key === one.key)
  const lines = [...(reach?.lines ?? [])]
  const isTyped = one.borrowed.length === 0 && (await leadsWhereTyped(ctx, project.root, { planned, lines }))
  const isOwn = isTyped || request.yes || (await allows(ctx, one, lines))
  if (isOwn) trustOwn(ctx, project, [one.key])
  const entry = project.config.entries.find(({ key }) => key === one.key)!
  const source = project.sources.find(({ key }) => key === one.key)!
  const unset = referredNames(entry.value).filter((name) => !isSet(name) && !hasDefault(entry.value, name))
  const isRemote = entry.reaches.some((reached) => 'uses' in reached || 'fetches' in reached)
  const isTested =
    isOwn && (isRemote ? unset.length === 0 && (await connects(ctx, one, request)) : request.test !== false)
  return {
    name: one.name,
    key: one.key,
    already: one.already,
    trusted: isOwn,
    reaches: lines,
    ...(planned.bytes !== undefined && { bytes: planned.bytes }),
    variables: [...one.variables],
    typed: holdsSecret(planned),
    unset,
    ...(isTested && { check: await testSource(project, source) }),
  }
}

/** A link below a folder that the person named may point anywhere without their knowledge. */
async function leadsWhereTyped(
  ctx: Given<'machine'>,
  root: string,
  { planned, lines }: { readonly planned: PlannedSource; readonly lines: readonly string[] },
): Promise<boolean> {
  const read = lines.flatMap((line) => (line.startsWith('read ') ? [line.slice('read '.length)] : []))
  if (read.length === 0) return true
  const named = Object.values(planned.fields).filter((value): value is string => typeof value === 'string')
  const seen = await Promise.all(named.map((path) => ctx.scout.look(isAbsolutePath(path) ? path : `${root}/${path}`)))
  return read.every((path) => seen.some((one) => one !== undefined && (path === one.place || isBelow(path, one.place))))
}

async function allows(ctx: Given, { key, borrowed }: WrittenSource, lines: readonly string[]): Promise<boolean> {
  const why =
    borrowed.length > 0 ? `takes ${borrowed.join(', ')} from the .env of this folder` : 'leads elsewhere by a link'
  const told = `${key} ${why}. It would:\n${lines.map((line) => `  ${line}`).join('\n')}`
  return (await ctx.confirm?.(`${told}\n\nAllow this?`)) ?? false
}

async function connects(ctx: Given, { key }: WrittenSource, { test, yes }: AddRequest): Promise<boolean> {
  if (test !== undefined) return test
  return yes || ctx.confirm === undefined ? false : ctx.confirm(`Connect to ${key} now, to see what is there?`)
}
