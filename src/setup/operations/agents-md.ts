import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL, projectField } from '../../operations/operation.ts'
import { readContext } from '../../record/read-context.ts'
import {
  agentsMdBody,
  agentsMdChange,
  bridgeState,
  claudeBridgeChange,
  formerBridgeChange,
} from '../domain/agents-md.ts'
import type { FileChange } from '../domain/file-change.ts'
import { findBlock } from '../domain/managed-block.ts'
import { changeFiles, fileReport, renderFiles, type FileReport, type WireRequest } from '../wire-client.ts'
import { projectPlace } from './setup.ts'

export const agentsMd = defineOperation({
  name: 'agents_md',
  title: 'Write AGENTS.md',
  summary: 'Write or update Ken’s block in AGENTS.md.',
  details:
    'Only the part between the markers changes. If git ignores the file, or without git, the block also contains the current state and is kept up to date. Claude Code gets a .claude/CLAUDE.md that imports AGENTS.md, unless its CLAUDE.md does. Files that git tracks are changed only with --allow-tracked.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  input: {
    remove: z.boolean().default(false).describe('Remove the block and .claude/CLAUDE.md.'),
    dry_run: z.boolean().default(false).describe('Only show what would change.'),
    allow_tracked: z.boolean().default(false).describe('Also change files that git tracks.'),
    ...projectField,
  },
  output: { dry_run: z.boolean(), files: z.array(fileReport) },
  examples: [{ title: 'What it would do', input: { dry_run: true } }],
  async run(ctx, input) {
    const { root } = await projectPlace(ctx)
    const body = input.remove ? '' : await agentsMdText(ctx, root, input.project_id)
    const files = await writeAgentsMd(ctx, {
      root,
      body,
      mode: input.remove ? 'remove' : 'add',
      dryRun: input.dry_run,
      allowTracked: input.allow_tracked,
    })
    return { dry_run: input.dry_run, files }
  },
  render: (output) => renderFiles(output.files, output.dry_run).join('\n'),
  exit: (output) => (output.files.some((file) => file.path.endsWith('/AGENTS.md') && file.kept !== undefined) ? 1 : 0),
})

export async function agentsMdText(
  ctx: Given<'machine' | 'record'>,
  root: string,
  project: string | undefined,
): Promise<string> {
  const store = await ctx.record(project)
  if (store.project.fromClone === true) throw fromClone()
  return agentsMdBody(
    store.project,
    (await ctx.clients.isKept(`${root}/AGENTS.md`)) ? undefined : await readContext(store, 'L0'),
  )
}

/** Every agent treats AGENTS.md as instructions, so unreviewed text is not written to it. */
const fromClone = (): AppError =>
  new AppError('forbidden', 'AGENTS.md was not written: this record came with the clone and is not trusted yet.', {
    hint: 'Review it with `ken context`, then run `ken trust`.',
  })

type How = Pick<WireRequest, 'root' | 'mode' | 'dryRun' | 'allowTracked'>

/**
 * AGENTS.md and its bridge. A file that must not be touched is reported, not thrown: each of the two is useful alone.
 */
export async function writeAgentsMd(ctx: Given<'machine'>, how: How & { body: string }): Promise<FileReport[]> {
  const { root } = how
  const block = await unlessRefused(ctx, agentsMdChange(root, how.body), how)
  const claude = (await ctx.files.read(`${root}/CLAUDE.md`)) ?? undefined
  const former =
    how.mode === 'remove' || bridgeState(claude) === 'owned'
      ? await unlessRefused(ctx, formerBridgeChange(root), { ...how, mode: 'remove' })
      : []
  if (how.mode === 'add' && isBridged(claude) && !former.some((file) => file.change === 'deleted'))
    return [...block, ...former]
  return [...block, ...(await unlessRefused(ctx, claudeBridgeChange(root), how)), ...former]
}

/** Whether CLAUDE.md imports AGENTS.md, or is the same file under another name. */
const isBridged = (text: string | undefined): boolean =>
  text !== undefined && (['owned', 'bridged'].includes(bridgeState(text)) || findBlock(text) !== undefined)

async function unlessRefused(ctx: Given<'machine'>, change: FileChange, how: How): Promise<FileReport[]> {
  try {
    return await changeFiles(ctx, [change], how)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !['forbidden', 'damaged'].includes(thrown.code)) throw thrown
    const why = thrown.message.replace(`${change.path} was left alone: `, '')
    return [{ path: change.path, change: 'unchanged', kept: [why, thrown.hint].filter(Boolean).join(' ') }]
  }
}
