import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { refuseLost } from '../../kernel/domain/project/disconnected.ts'
import { plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Context, Given } from '../../operations/context.ts'
import { AT_A_TERMINAL, defineOperation, projectField } from '../../operations/operation.ts'
import type { ServerStanding, TeamServer } from '../../team/ports/team-server.ts'
import { refuseSecrets } from '../../team/sync-team.ts'
import { HASHES } from '../domain/files.ts'
import type { Store } from '../ports/store.ts'
import { projectHere } from './project-here.ts'
import { syncNow } from './sync-team.ts'
import { SEARCHES_TOLD, syncedFacts, syncedFields, syncedLines, serverNamed } from './team-fields.ts'

const OUTPUT = {
  outcome: z.enum(['linked', 'declined', 'unanswered']),
  id: z.string(),
  name: z.string(),
  server: z.string(),
  ...syncedFields,
  question: z.string().optional().describe('The question asked at a terminal.'),
  failure: z.string().optional().describe('Why the first push failed; the next sync retries it.'),
}

type Output = z.output<z.ZodObject<typeof OUTPUT>>

export const link = defineOperation({
  name: 'link',
  title: 'Share a record with a team',
  summary: 'Share this project’s record with a team: sends it to the server, and every later change.',
  details:
    'Shows what will be sent and asks first (--yes skips this). The project is created on the server under the same id, and `.ken/config.json` gets mode cloud and the server; all reads and writes stay on this machine, with or without a network. Sessions, notes and memories stay here. A memory search also queries what colleagues share with the team; `ken config set team.search off` prevents that. A record with a secret is refused: `ken redact` removes it. `ken unlink` separates the two.',
  forPeople: 'Share this project’s record with your team.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  exact: true,
  hiddenFrom: AT_A_TERMINAL,
  input: {
    server: z.string().min(1).max(300).optional().describe('Server address; default: the setting team.server.'),
    name: z.string().min(1).max(100).optional().describe('Project name on the server; default: its name here.'),
    yes: z.boolean().default(false).describe('Send without asking.'),
    ...projectField,
  },
  output: OUTPUT,
  examples: [{ title: 'With a team’s server', input: { server: 'https://ken.example.com', yes: true } }],
  async run(ctx, input): Promise<Output> {
    const project = await projectHere(ctx, input.project_id)
    refuseUnlinkable(project)
    const links = await ctx.teamLinks()
    const server = await links.server(serverNamed(ctx, input.server), { isNamed: true })
    const name = input.name ?? project.name
    const told = { id: project.id, name, server: server.url, pulled: 0, pushed: 0, renumbered: [] }
    const store = await ctx.record(project)
    refuseOther(await server.standing(project.id), await store.history.lines())
    const question = await describe(store, { name, server, redactor: ctx.redactor })
    if (!input.yes && ctx.confirm === undefined) return { ...told, outcome: 'unanswered', question }
    if (!input.yes && !(await ctx.confirm!(question))) return { ...told, outcome: 'declined' }
    await server.create({ id: project.id, name })
    const standing = await server.standing(project.id)
    if (standing === undefined)
      throw new AppError('unavailable', 'The server created the project but does not list it.')
    const linked = await links.link(project.id, { server: server.url, person: standing.person })
    return { ...told, outcome: 'linked', ...(await firstSync(ctx, linked)) }
  },
  render: (output) => RENDERED[output.outcome](output),
  exit: (output) => (output.outcome === 'linked' ? 0 : 1),
})

function refuseUnlinkable(project: RegisteredProject): void {
  refuseLost(project)
  if (project.team !== undefined)
    throw new AppError('conflict', `"${project.name}" is already shared at ${project.team.server}.`, {
      hint: 'Sync it now with `ken sync team`, or stop sharing with `ken unlink`.',
    })
  if (project.mode !== 'local')
    throw new AppError('invalid_input', 'This record is committed with its repository and is shared through git.', {
      hint: 'Only a record in the Ken home can be shared through a server.',
    })
}

/** Throws if the server has another record under the same id; a record already sent, in part or whole, is resumed. */
function refuseOther(standing: ServerStanding | undefined, lines: readonly { readonly sha256: string }[]): void {
  const revision = standing?.revision ?? null
  if (revision === null || lines.some(({ sha256 }) => sha256 === revision)) return
  throw new AppError('conflict', 'The server’s copy of this project has newer changes.', {
    hint: 'Run `ken projects rm`, move its folder away, then run `ken attach` to fetch the team’s.',
  })
}

async function describe(
  store: Store,
  { name, server, redactor }: { name: string; server: TeamServer; redactor: Context['redactor'] },
): Promise<string> {
  const lines = (await store.history.lines()).map(({ text }) => text)
  const files: { path: string; before: null; text: string }[] = []
  for (const path of [...(await store.list()), HASHES]) {
    const text = await store.read(path)
    if (text !== undefined) files.push({ path, before: null, text })
  }
  await refuseSecrets({ files, lines }, redactor)
  const { decisions } = await store.catalogue()
  const size = [...files.map(({ text }) => text), ...lines].reduce((sum, text) => sum + text.length, 0)
  return [
    `The record "${name}" would go to ${server.url}, and every change after it:`,
    `  ${plural(decisions.length, 'decision')}, ${plural(files.length, 'file')}, ${plural(lines.length, 'line')} of its journal (${Math.ceil(size / 1024)} KB)`,
    '  Everybody whom the project is open to there reads it. Sessions, notes and memories stay here.',
    `  ${SEARCHES_TOLD}`,
    '',
    'Send it?',
  ].join('\n')
}

/** The project stays linked even if this sync fails: the next one resumes. */
async function firstSync(ctx: Given<'machine' | 'record'>, project: RegisteredProject): Promise<Partial<Output>> {
  try {
    return syncedFacts(await syncNow(ctx, project))
  } catch (error) {
    return { failure: toAppError(error).line }
  }
}

const RENDERED: Readonly<Record<Output['outcome'], (output: Output) => string>> = {
  linked: (output) =>
    [
      `"${output.name}" is the team’s now, at ${output.server}.`,
      ...(output.failure === undefined ? syncedLines(output) : [`Nothing went there yet: ${output.failure}`]),
      `Others bring it to their machine with \`ken attach ${output.id} --server ${output.server}\`.`,
    ].join('\n'),
  declined: () => 'Nothing was sent.',
  unanswered: ({ question }) =>
    `${question!.split('\n').slice(0, -2).join('\n')}\n\nNothing was sent yet: answer at a terminal, or say --yes.`,
}
