import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { ellipsis, inBytes, plural } from '../../kernel/domain/text.ts'
import { GLOBAL, workspaceHash } from '../../kernel/domain/workspace.ts'
import type { Given } from '../../operations/context.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'
import { serverOrigin } from '../../team/domain/server-address.ts'
import type { OwnShare } from '../../team/ports/sharing.ts'
import { bringUpToDate, planShare, type SharePlan } from '../../team/share-workspace.ts'
import { withinOf } from './memory-scope.ts'

export const teamFields = {
  server: z.string().min(1).max(300).optional().describe('Address of the team server, e.g. https://ken.example.com.'),
  project: z.string().min(1).max(64).optional().describe('Id of the project there.'),
}

const EXAMPLES_SHOWN = 5

export const share = defineOperation({
  name: 'share',
  title: 'Share this workspace',
  summary: 'Share this workspace’s sessions and notes with a team project.',
  details:
    'Lists what would be sent and asks first (--yes skips this). Secrets are removed. Notes for all projects, notes with the tag `private` and what Ken knows about you are never sent. Run it again to send additions and remove deletions. `ken unshare` takes everything back, `ken shared` shows what is shared.',
  effect: 'write',
  withoutRoom: true,
  words: 'own',
  needs: ['machine', 'memory'],
  asGiven: true,
  hiddenFrom: AT_A_TERMINAL,
  input: {
    ...teamFields,
    yes: z.boolean().default(false).describe('Send without asking.'),
  },
  output: {
    workspace: z.string(),
    server: z.string(),
    project: z.string(),
    sessions: z.number(),
    notes: z.number(),
    bytes: z.number(),
    secrets: z.number().describe('Number of secrets removed before sending.'),
    too_long: z.number().describe('Left out.'),
    examples: z.array(z.object({ kind: z.string(), title: z.string() })),
    shared: z.boolean(),
    sent: z.number().optional(),
    unchanged: z.number().optional(),
    removed: z.number().optional(),
  },
  examples: [
    { title: 'Look first', input: { server: 'https://ken.example.com', project: '01J8X4T7N2K5Q9W3E6R1Y0ABCD' } },
  ],
  async run(ctx, input) {
    const root = ctx.workspaces.rootOf(ctx.cwd)
    const sharing = await ctx.sharing()
    // If this folder's record is shared with a team, its memory is shared with the same team.
    const here = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
    const linked = here?.team === undefined ? {} : { server: here.team.server, project: here.id }
    const { server, project } = meant(sharing.own(), root, { ...linked, ...input })
    const plan = await planShare((await ctx.memory()).browser.shareable(await withinWorkspace(ctx)), ctx.pathNamed('~'))
    const facts = { workspace: nameOf(root), server, project, ...factsOf(plan) }
    const isMeant = input.yes || ((await ctx.confirm?.(questionOf(facts))) ?? false)
    if (!isMeant) return { ...facts, shared: false }
    const remote = await sharing.server(server, project)
    const opened = await remote.open({ workspace: workspaceHash(root), name: nameOf(root) })
    const own: OwnShare = {
      root,
      server,
      project,
      share: opened.id,
      sharedAt: opened.openedAt,
      sentAt: opened.uploadedAt,
      documents: opened.documents,
    }
    // Saved before anything is sent, so that the share can be withdrawn whatever happens next.
    sharing.remember(own)
    const counts = await bringUpToDate(remote, { share: opened.id, plan }, (done, total) =>
      ctx.progress('sharing', done, total),
    )
    sharing.remember({ ...own, sentAt: ctx.clock.now().toISOString(), documents: plan.texts.length })
    return { ...facts, shared: true, ...counts }
  },
  render: (output) =>
    [
      ...planLines(output),
      '',
      output.shared
        ? `Shared: ${output.sent} sent, ${output.unchanged} already there, ${output.removed} taken out.`
        : 'Nothing was sent. Run it again with --yes to share this.',
    ].join('\n'),
})

type Facts = ReturnType<typeof factsOf> & {
  readonly workspace: string
  readonly server: string
  readonly project: string
}

const factsOf = ({ texts, tooLong }: SharePlan) => ({
  sessions: texts.filter(({ origin }) => origin === 'session').length,
  notes: texts.filter(({ origin }) => origin === 'note').length,
  bytes: texts.reduce((sum, { text }) => sum + text.length, 0),
  secrets: texts.reduce((sum, { redacted }) => sum + redacted, 0),
  too_long: tooLong.length,
  examples: texts
    .slice(0, EXAMPLES_SHOWN)
    .map(({ origin, title }) => ({ kind: origin as string, title: ellipsis(title, 80) })),
})

const planLines = ({ workspace, server, project, sessions, notes, bytes, secrets, ...more }: Facts): string[] => [
  `${workspace} → project ${project} of ${server}:`,
  `  ${plural(sessions, 'session')} and ${plural(notes, 'note')}, ${inBytes(bytes)}; ${plural(secrets, 'secret')} taken out.`,
  ...more.examples.map(({ kind, title }) => `  ${kind}: ${title}`),
  ...(more.too_long > 0 ? [`  ${plural(more.too_long, 'session')} too long, left out.`] : []),
  '  Never sent: notes for all projects, notes tagged private, what Ken knows about you.',
]

const questionOf = (facts: Facts): string =>
  [...planLines(facts), 'Everybody of that project finds this. Share it?'].join('\n')

/** Scope of this folder and its project, without global notes. */
async function withinWorkspace(
  ctx: Given<'memory'>,
): Promise<{ workspaces: readonly string[]; projects: readonly string[] }> {
  const within = await withinOf(ctx, undefined)
  return { workspaces: within!.workspaces.filter((one) => one !== GLOBAL), projects: within!.projects }
}

const nameOf = (root: string): string =>
  root
    .split(/[/\\]/)
    .findLast((part) => part !== '')
    ?.slice(0, 100) ?? 'workspace'

/** The given server and project, or the only ones that this workspace is shared with. */
export function meant(
  own: readonly OwnShare[],
  root: string,
  { server, project }: { readonly server?: string | undefined; readonly project?: string | undefined },
): { readonly server: string; readonly project: string; readonly known: OwnShare | undefined } {
  const origin = server === undefined ? undefined : serverOrigin(server)
  const known = own.filter(
    (one) =>
      one.root === root &&
      (origin === undefined || one.server === origin) &&
      (project === undefined || one.project === project),
  )
  if (known.length === 1) return { server: known[0]!.server, project: known[0]!.project, known: known[0] }
  if (origin !== undefined && project !== undefined) return { server: origin, project, known: undefined }
  throw new AppError(
    'invalid_input',
    known.length === 0 ? 'With which project of which server?' : 'This workspace is shared with several projects.',
    { hint: 'Pass --server https://ken.example.com --project ID.' },
  )
}
