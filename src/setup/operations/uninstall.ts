import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { CONFIRM_OR_YES } from '../../kernel/domain/phrases.ts'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'
import { SCOPES } from '../domain/client.ts'
import { CLIENT_NAMES } from '../domain/clients.ts'
import { tryWireClient, type FileReport } from '../wire-client.ts'
import { writeAgentsMd } from './agents-md.ts'

const item = z.object({
  kind: z.enum(['file', 'binding', 'service', 'key', 'login', 'merge driver', 'context', 'data']),
  what: z.string(),
  change: z.enum(['edited', 'deleted']),
  kept: z.string().optional().describe('Why it stays.'),
})

type Item = z.output<typeof item>

const OUTPUT = {
  outcome: z.enum(['removed', 'planned', 'nothing']),
  items: z.array(item),
  data: z.string().optional().describe('The folder with records and memory, if it stays.'),
}

type Output = z.output<z.ZodObject<typeof OUTPUT>>

interface How {
  readonly data: boolean
  readonly allowTracked: boolean
}

export const uninstall = defineOperation({
  name: 'uninstall',
  title: 'Uninstall',
  summary: 'Remove what Ken set up on this machine: client entries, hooks, blocks, services and keys.',
  details:
    'Lists everything first and asks. Files of other programs get their old bytes back; files that git tracks are changed only with --allow-tracked. Records, notes and the search index stay in the Ken home unless --data is given, which also removes context projects that git does not track. The program itself goes with `npm uninstall -g kenbase`.',
  effect: 'write',
  destructive: true,
  withoutRoom: true,
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  input: {
    data: z.boolean().default(false).describe('Also delete records, notes and the index. This cannot be undone.'),
    dry_run: z.boolean().default(false).describe('List it and change nothing.'),
    allow_tracked: z.boolean().default(false).describe('Also change files that git tracks.'),
    yes: z.boolean().default(false).describe('Remove without asking.'),
  },
  output: OUTPUT,
  examples: [{ title: 'What it would remove', input: { dry_run: true } }],
  async run(ctx, input): Promise<Output> {
    const how = { data: input.data, allowTracked: input.allow_tracked }
    const { path } = await ctx.ownHome()
    const items = await everything(ctx, how, true)
    const kept = input.data ? {} : { data: path }
    const wanted = items.filter((one) => one.kept === undefined)
    if (wanted.length === 0) return { outcome: 'nothing', items, ...kept }
    if (input.dry_run) return { outcome: 'planned', items, ...kept }
    if (!input.yes) await confirmAll(ctx, wanted)
    return { outcome: 'removed', items: await everything(ctx, how, false), ...kept }
  },
  render: (output, _input, view = PLAIN) => report(output, view).join('\n'),
})

async function confirmAll(ctx: Given, items: readonly Item[]): Promise<void> {
  const listed = lines(items, PLAIN).join('\n')
  if ((await ctx.confirm?.(`Ken would remove:\n${listed}\n\nRemove all of it?`)) === true) return
  throw new AppError('stopped', `No changes. Ken would remove:\n${listed}`, {
    hint: CONFIRM_OR_YES,
  })
}

/** Plans the removal, or carries it out: the same steps in the same order. */
async function everything(ctx: Given<'machine' | 'record'>, how: How, dryRun: boolean): Promise<Item[]> {
  const projects = await ctx.projects.list()
  const here = (await ctx.repository())?.root
  const roots = [...new Set([...projects.flatMap(({ repositories }) => repositories), ...(here ? [here] : [])])]
  const items: Item[] = []
  for (const root of roots) items.push(...(await filesOf(ctx, root, { ...how, dryRun })))
  for (const { id, repositories } of projects)
    for (const root of repositories) {
      items.push({ kind: 'binding', what: `${root}/.ken/config.json`, change: 'deleted' })
      if (!dryRun) await ctx.projects.unbind(id, root)
    }
  for (const { kind, what, kept, remove } of await ctx.leftovers(roots, how)) {
    items.push({ kind, what, change: 'deleted', ...(kept !== undefined && { kept }) })
    if (!dryRun && kept === undefined) await remove()
  }
  // A file shared by several clients is listed for each, and removed with the last.
  return [...new Map(items.map((one) => [one.what, one])).values()]
}

/** Client files and AGENTS.md; in reverse order of writing, as earlier files own the folders that later ones are in. */
async function filesOf(
  ctx: Given<'machine' | 'record'>,
  root: string,
  { allowTracked, dryRun }: How & { readonly dryRun: boolean },
): Promise<Item[]> {
  const same = { root, mode: 'remove', dryRun, allowTracked } as const
  const files: FileReport[] = [...(await writeAgentsMd(ctx, { ...same, body: '' }))]
  const items: Item[] = []
  for (const client of CLIENT_NAMES)
    for (const scope of SCOPES) {
      const done = await tryWireClient(ctx, { ...same, client, scope, withHooks: true, withSkills: true })
      files.push(...done.files)
      if (done.problem !== undefined)
        items.push({ kind: 'file', what: `${client} (${scope})`, change: 'edited', kept: done.problem.message })
    }
  return [
    ...files
      .filter(({ change, kept }) => change !== 'unchanged' || kept !== undefined)
      .map(({ path, change, kept, shared }): Item => ({
        kind: 'file',
        what: path,
        change: change === 'deleted' || shared === true ? 'deleted' : 'edited',
        ...(kept !== undefined && shared !== true && { kept }),
      })),
    ...items,
  ]
}

function report({ outcome, items, data }: Output, view: View): string[] {
  const gone = items.filter(({ kept }) => kept === undefined)
  const left = items.filter(({ kept }) => kept !== undefined)
  const heading =
    outcome === 'nothing'
      ? 'Nothing to remove.'
      : outcome === 'planned'
        ? `Would remove ${plural(gone.length, 'item')}:`
        : `Removed ${plural(gone.length, 'item')}:`
  return [
    heading,
    ...lines(gone, view),
    ...(left.length === 0 ? [] : ['Kept:', ...left.map(({ what, kept }) => `  ${what}: ${kept}`)]),
    ...(data === undefined ? [] : ['', `Records and memory stay in ${data}; \`ken uninstall --data\` deletes them.`]),
    ...(outcome === 'planned' ? [] : ['To remove the program: `npm uninstall -g kenbase`.']),
  ]
}

const lines = (items: readonly Item[], view: View): string[] =>
  table(
    items.map(({ kind, what, change }) => [change === 'edited' ? 'restore' : 'delete', kind, what]),
    [{ tone: 'warning' }, { tone: 'dim' }, { shrinks: true }],
    view,
    '  ',
  )
