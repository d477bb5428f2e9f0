import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Claim } from '../../kernel/ports/projects.ts'
import { refuseOnPage, type Given } from '../../operations/context.ts'
import { defineOperation } from '../../operations/operation.ts'
import { QUESTIONS } from '../../record/domain/files.ts'
import { openQuestions } from '../../record/domain/question.ts'
import type { Reach } from '../domain/context-project/reach.ts'
import { changeOf, isTrusted, type Granted } from '../domain/context-project/trust.ts'
import type { ContextProject } from '../ports/context-project.ts'

const reached = z.object({
  entry: z.string(),
  reaches: z.array(z.string()),
  change: z.string().optional().describe('Changes since it was trusted.'),
})

const trustOutput = {
  outcome: z.enum(['trusted', 'declined', 'unanswered', 'faulty', 'needless', 'revoked', 'unknown', 'listed']),
  projects: z.array(z.object({ root: z.string(), at: z.string().optional(), entries: z.array(reached) })),
  faults: z.array(z.string()).optional().describe('Invalid entries; they get no permissions.'),
  mark: z.string().optional().describe('Hash of the shown entries, for `seen`.'),
}

type TrustOutput = z.output<z.ZodObject<typeof trustOutput>>

export const trust = defineOperation({
  name: 'trust',
  title: 'Trust what came with a clone',
  summary: 'Trust the record of a clone, and what its ken.yaml reaches outside its folder.',
  details:
    'A record in a clone is shown as the words of a stranger until you have looked at it and trust it here. Without trust a context project that came with a clone opens files inside its own folder and nothing else: no host, no git address, no path outside, no variable of your environment. This shows what would be allowed and asks. When the configuration reaches further later, it has to be trusted again. Look first: `ken context`, `ken list-decisions`.',
  effect: 'write',
  words: 'own',
  needs: ['context', 'machine', 'record'],
  hiddenFrom: {
    mcp: 'Only a person may widen what a project reaches.',
    http: 'Only a person may widen what a project reaches.',
  },
  async fromPage(ctx, input) {
    if (input.list || !(input.yes || input.revoke)) return []
    if (input.revoke) return [{ what: 'trust', before: placeOf(ctx, input.folder), after: 'revoked' }]
    const { known, entries } = await lookAt(ctx, input.folder)
    const changes = entries.map(({ entry, reaches }) => ({
      what: entry,
      ...(known?.[entry] !== undefined && { before: known[entry].join(', ') }),
      after: reaches.join(', ') || 'inside its folder',
    }))
    return changes.length > 0 ? changes : [{ what: 'trust', after: 'no changes' }]
  },
  positional: ['folder'],
  input: {
    folder: z.string().min(1).optional().describe('Project, or a folder in it; default: here.'),
    yes: z.boolean().default(false).describe('Do not ask (for scripts).'),
    seen: z
      .string()
      .max(64)
      .optional()
      .describe('With --yes: the mark shown earlier; refused if ken.yaml has changed since.'),
    list: z.boolean().default(false).describe('Show what is trusted.'),
    revoke: z.boolean().default(false).describe('Revoke trust.'),
  },
  output: trustOutput,
  examples: [
    { title: 'The project here', input: {} },
    { title: 'Everything that is trusted', input: { list: true } },
  ],
  async run(ctx, input): Promise<TrustOutput> {
    refuseOnPage(ctx, 'folder', input.folder !== undefined)
    if (input.list) return { outcome: 'listed', projects: await trustedHere(ctx) }
    if (input.revoke) return revoke(ctx, input.folder)
    if (input.yes && input.seen === undefined && ctx.origin.surface === 'app')
      throw new AppError('invalid_input', 'A page must send the mark it was shown.', {
        hint: `Pass ${fieldNamed('seen')}.`,
      })
    const { project, claim, all, reaches, faults, trusted, known, entries } = await lookAt(ctx, input.folder)
    const told = faults.length === 0 ? {} : { faults }
    const projects = [{ root: project?.root ?? claim!.repository, entries: [...entries] }]
    if (claim?.bound !== false && reaches.every((reach) => isTrusted(reach, known)))
      return {
        outcome: faults.length > 0 ? 'faulty' : 'needless',
        projects: [{ ...projects[0]!, ...(trusted !== undefined && { at: trusted.at }) }],
        ...told,
      }
    const mark = sha256(JSON.stringify(projects)).slice(0, 16)
    if (!input.yes && ctx.confirm === undefined) return { outcome: 'unanswered', projects, mark, ...told }
    if (input.seen !== undefined && input.seen !== mark)
      throw new AppError('conflict', 'The request has changed since you saw it.', {
        hint: 'Reload it.',
      })
    const question = [...faults, renderEntries(projects[0]!, WOULD), '', 'Allow this?'].join('\n')
    const isAllowed = input.yes || (await ctx.confirm!(question))
    if (!isAllowed) return { outcome: 'declined', projects, ...told }
    // Grants the entries that were shown, even if ken.yaml has changed since.
    if (claim?.bound === false) await ctx.projects.bind(claim, claim.repository)
    // An entry that is unavailable now, such as a file on a missing disk, keeps its grant.
    const kept = all.flatMap(({ key }) =>
      reaches.some((one) => one.key === key) ? [] : [{ key, lines: known?.[key] ?? [] }],
    )
    if (project !== undefined)
      ctx.trust.grant(grantOf(ctx, project.root, [...reaches, ...kept.filter(({ lines }) => lines.length > 0)]))
    return { outcome: 'trusted', projects, ...told }
  },
  render: (output) => [...(output.faults ?? []), RENDERED[output.outcome](output)].join('\n'),
  exit: (output) => (['declined', 'unanswered', 'unknown', 'faulty'].includes(output.outcome) ? 1 : 0),
})

/** Entries that can be allowed, and the current grants. */
async function lookAt(ctx: Given<'context' | 'machine' | 'record'>, folder: string | undefined) {
  const { project, claim } = await foundAt(ctx, folder)
  const all = project?.reach() ?? []
  const reaches = all.filter(({ key }) => faultOf(project!, key) === undefined)
  const faults = all.flatMap(({ key }) => faultLine(project!, key))
  const trusted = project && ctx.trust.find(project.root)
  const known = trusted?.granted
  const record = claim === undefined ? [] : [await recordEntry(ctx, claim)]
  const entries = [...record, ...reaches.map((reach) => shown(reach, known))]
  return { project, claim, all, reaches, faults, trusted, known, entries }
}

/** Only for entries that the user has just written; others may have come with a clone. */
export function trustOwn(ctx: Given<'machine'>, project: ContextProject, keys: readonly string[]): void {
  const reaches = project.reach().filter(({ key }) => keys.includes(key))
  if (reaches.length > 0) ctx.trust.extend(grantOf(ctx, project.root, reaches))
}

const grantOf = (ctx: Given, root: string, reaches: readonly Reach[]) => ({
  root,
  at: ctx.clock.now().toISOString(),
  granted: Object.fromEntries(reaches.map(({ key, lines }) => [key, lines])),
})

const faultOf = ({ sources }: ContextProject, key: string): AppError | undefined =>
  sources.find((source) => source.key === key)?.fault()

function faultLine(project: ContextProject, key: string): string[] {
  const fault = faultOf(project, key)
  return fault === undefined ? [] : [`${key}: ${fault.line}`]
}

/** Finds the context project or the record in the folder that can be trusted, or both. */
async function foundAt(
  ctx: Given<'context'>,
  folder: string | undefined,
): Promise<{ project: ContextProject | undefined; claim: Claim | undefined }> {
  const claim = await carriedRecord(ctx, folder)
  const project = await ctx.contextProject(folder).catch((error: unknown) => {
    if (claim !== undefined && error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
  return { project, claim }
}

async function carriedRecord(ctx: Given, folder: string | undefined): Promise<Claim | undefined> {
  const claim = await ctx.projects.claim(placeOf(ctx, folder))
  return claim?.mode === 'repo' && claim.present ? claim : undefined
}

async function recordEntry(ctx: Given<'record'>, claim: Claim): Promise<z.output<typeof reached>> {
  const store = await ctx.record({ ...claim, repositories: [claim.repository], fromClone: true })
  const [{ decisions }, questions] = await Promise.all([store.catalogue(), store.read(QUESTIONS)])
  return {
    entry: 'record',
    reaches: [
      `tell agents ${plural(decisions.length, 'decision')} and ${plural(openQuestions(questions ?? '').length, 'open question')} of "${claim.name}" as yours`,
    ],
  }
}

/** Also works for a folder that no longer exists, or whose ken.yaml is unreadable. */
async function revoke(ctx: Given<'context' | 'machine'>, folder: string | undefined): Promise<TrustOutput> {
  const claim = await carriedRecord(ctx, folder)
  const project = await ctx.contextProject(folder).catch(() => undefined)
  const root = project?.root ?? claim?.repository ?? placeOf(ctx, folder)
  if (claim?.bound === true) await ctx.projects.unbind(claim.id, claim.repository, 'keep')
  return {
    outcome: ctx.trust.revoke(root) || claim?.bound === true ? 'revoked' : 'unknown',
    projects: [{ root, entries: [] }],
  }
}

const placeOf = (ctx: Given, folder: string | undefined): string =>
  folder === undefined ? ctx.cwd : /^(?:[/\\]|[A-Za-z]:)/.test(folder) ? folder : `${ctx.cwd}/${folder}`

/** Records inside their repository are trusted by being bound; context projects by their grants. */
async function trustedHere(ctx: Given<'machine'>): Promise<TrustOutput['projects']> {
  const carried = (await ctx.projects.list()).filter(({ mode }) => mode === 'repo')
  const records = carried.flatMap(({ name, repositories }) =>
    repositories.map((root) => ({
      root,
      entries: [{ entry: 'record', reaches: [`tell agents the record of "${name}" as yours`] }],
    })),
  )
  return [...records, ...ctx.trust.list().map(({ root, at, granted }) => ({ root, at, entries: entriesOf(granted) }))]
}

const entriesOf = (granted: Granted): z.output<typeof reached>[] =>
  Object.entries(granted).map(([entry, lines]) => ({ entry, reaches: [...lines] }))

function shown(reach: Reach, known: Granted | undefined): z.output<typeof reached> {
  const isChanged = known?.[reach.key] !== undefined && !isTrusted(reach, known)
  return { entry: reach.key, reaches: [...reach.lines], ...(isChanged && { change: changeOf(reach, known) }) }
}

const WOULD = 'would be allowed to'

const RENDERED: Readonly<Record<TrustOutput['outcome'], (output: TrustOutput) => string>> = {
  trusted: ({ projects: [project] }) =>
    `Trusted in ${project!.root}: ${project!.entries.map(({ entry }) => entry).join(', ')}.`,
  declined: () => 'Nothing was allowed.',
  unanswered: ({ projects: [project] }) =>
    `${renderEntries(project!, WOULD)}\n\nNothing was allowed yet: answer at a terminal, or say --yes.`,
  faulty: () => 'Mend this first; there is nothing else to allow.',
  needless: ({ projects: [project] }) =>
    project!.entries.length === 0
      ? `${project!.root} stays inside its folder; there is nothing to allow.`
      : `${renderEntries(project!, 'may')}\n\nThere is nothing more to allow.`,
  revoked: ({ projects: [project] }) => `${project!.root} is not trusted any more.`,
  unknown: ({ projects: [project] }) => `${project!.root} was not trusted.`,
  listed: ({ projects }) =>
    projects.length === 0
      ? 'No project is trusted yet.'
      : projects.map((project) => renderEntries(project, 'may')).join('\n\n'),
}

function renderEntries({ root, at, entries }: TrustOutput['projects'][number], may: string): string {
  const width = Math.max(0, ...entries.map(({ entry }) => entry.length))
  const rows = entries.map(
    ({ entry, reaches, change }) =>
      `  ${entry.padEnd(width)}  ${change === undefined ? reaches.join(', ') : `changed: ${change}`}`,
  )
  return [`${root}${at === undefined ? '' : ` (trusted ${at.slice(0, 10)})`} ${may}:`, ...rows].join('\n')
}
