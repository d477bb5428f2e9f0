import { z } from 'zod'
import type { PageChange } from '../../kernel/ports/page-changes.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { SCOPES, type SetupScope } from '../domain/client.ts'
import { CLIENT_NAMES, CLIENTS, type ClientName } from '../domain/clients.ts'
import {
  clientReport,
  renderReport,
  tryWireClient,
  wireClient,
  type ClientReport,
  type WireRequest,
} from '../wire-client.ts'

export const setup = defineOperation({
  name: 'setup',
  title: 'Connect an agent',
  summary: 'Connect a coding agent: writes the MCP entry, and hooks and skills on request.',
  details:
    'Every other byte and comment of the file stays; the old text is kept under backups in the Ken home. Symbolic links are never written through, files that git tracks only with --allow-tracked. --remove deletes only what Ken wrote. --with-hooks gives the agent the state of the project at the start of a session and which decisions a prompt touches; --with-skills installs six skills: seed a record, load the context, check and record decisions, search the memory, carry a task through, find the next task. --http writes the address of `ken serve --http`; the token comes from the variable KEN_HTTP_TOKEN and stands in no file.',
  forPeople: 'Connect a coding agent: claude-code, codex, cursor and others.',
  effect: 'write',
  words: 'own',
  needs: ['record', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  fromPage: async (ctx, input) => (input.dry_run ? [] : fileChanges(await wireAll(ctx, { ...input, dry_run: true }))),
  positional: ['client'],
  input: {
    client: z.enum([...CLIENT_NAMES, 'all']).describe('Which agent, or all of them.'),
    scope: z
      .enum(SCOPES)
      .optional()
      .describe(
        'user: all your projects; project: this one. Default: what is usual for the client; user outside a repository.',
      ),
    with_hooks: z.boolean().default(false).describe('Also install the hooks.'),
    with_skills: z.boolean().default(false).describe('Also install the skills.'),
    http: z
      .boolean()
      .default(false)
      .describe('Connect to a running server (`ken serve --http`) instead of starting one per session.'),
    remove: z.boolean().default(false).describe('Remove what Ken wrote: entry, hooks and skills.'),
    dry_run: z.boolean().default(false).describe('Only show what would change.'),
    allow_tracked: z.boolean().default(false).describe('Also change files that git tracks.'),
  },
  output: { action: z.enum(['setup', 'remove']), dry_run: z.boolean(), clients: z.array(clientReport) },
  examples: [
    { title: 'What it would do', input: { client: 'claude-code', dry_run: true } },
    { title: 'With hooks and skills', input: { client: 'codex', with_hooks: true, with_skills: true, dry_run: true } },
  ],
  async run(ctx, input) {
    const clients = await wireAll(ctx, input)
    return { action: input.remove ? ('remove' as const) : ('setup' as const), dry_run: input.dry_run, clients }
  },
  render: (output) =>
    [
      ...output.clients.map((report) => renderReport(report, output.dry_run)),
      ...noteOnCommits(output.clients, output.action),
    ].join('\n\n'),
  exit: (output) => (output.clients.some((report) => report.problem !== undefined) ? 1 : 0),
})

interface SetupInput {
  readonly client: ClientName | 'all'
  readonly scope?: SetupScope | undefined
  readonly with_hooks: boolean
  readonly with_skills: boolean
  readonly http: boolean
  readonly remove: boolean
  readonly dry_run: boolean
  readonly allow_tracked: boolean
}

async function wireAll(ctx: Given<'machine' | 'record'>, input: SetupInput): Promise<ClientReport[]> {
  const place = await projectPlace(ctx)
  const requests = (input.client === 'all' ? CLIENT_NAMES : [input.client]).map((client): WireRequest => ({
    client,
    scope: input.scope ?? usualScope(client, place.isProject),
    root: place.root,
    withHooks: input.with_hooks,
    withSkills: input.with_skills,
    ...(input.http && { port: Number(ctx.settings.get('server.port').value) }),
    mode: input.remove ? 'remove' : 'add',
    dryRun: input.dry_run,
    allowTracked: input.allow_tracked,
  }))
  const wire = requests.length === 1 ? wireClient : tryWireClient
  const clients = []
  for (const request of requests) clients.push(await wire(ctx, request))
  return clients
}

/** Never empty: changes between preview and write also need confirmation. */
function fileChanges(reports: readonly ClientReport[]): PageChange[] {
  const files = reports.flatMap((report) => report.files)
  const changed = files.flatMap(({ path, diff }) => (diff === undefined ? [] : [{ what: path, diff }]))
  return changed.length > 0 ? changed : [{ what: reports.map(({ client }) => client).join(', '), after: 'no changes' }]
}

/** The folder for project files, and whether they belong there. */
export async function projectPlace(ctx: Given<'record'>): Promise<{ root: string; isProject: boolean }> {
  const repository = await ctx.repository()
  const root = repository?.root ?? ctx.cwd
  return { root, isProject: repository !== undefined || (await ctx.projects.find({ directory: root })) !== undefined }
}

export const usualScope = (client: ClientName, isProject: boolean): SetupScope =>
  isProject ? CLIENTS[client].scope : 'user'

/** Git does not track new project files yet, and some contain the program's path on this machine. */
function noteOnCommits(reports: readonly z.output<typeof clientReport>[], action: string): string[] {
  const fresh = reports
    .filter((report) => report.scope === 'project')
    .flatMap((report) => report.files.filter((file) => file.change === 'created').map((file) => file.path))
  if (action === 'remove' || fresh.length === 0) return []
  return ['The files in this project are not in git yet; list them in .git/info/exclude to keep it so.']
}
