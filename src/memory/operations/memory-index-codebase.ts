import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, forPeople } from '../../operations/operation.ts'
import { isGranted, isWithin } from '../../operations/page-power.ts'
import { renderReport, reportFields, toReport } from './memory-update.ts'

export const memoryIndexCodebase = defineOperation({
  name: 'memory_index_codebase',
  title: 'Index source code',
  summary: 'Index the source code of a repository so that memory searches find it. When the user asks for it.',
  forPeople: 'Index a repository’s source code (respects .gitignore).',
  searchHint: 'make code searchable',
  details:
    'An agent may name the repository it works in, or one of a known project, or a folder in it. For any other folder a person runs the command.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'memory'],
  async fromPage(ctx, input) {
    const root = await findRoot(ctx, input.root)
    return (await isGranted(ctx, root)) ? [] : [{ what: 'codebase.roots', after: root }]
  },
  positional: ['root'],
  input: {
    root: z.string().max(4096).optional().meta(forPeople('Default: the repository here.')),
  },
  output: { root: z.string(), ...reportFields },
  examples: [{ title: 'Here', input: {} }],
  async run(ctx, input) {
    const root = await findRoot(ctx, input.root)
    const roots = ctx.settings.get('codebase.roots').value as string[]
    if (!roots.some((known) => isWithin(root, known))) ctx.settings.set('codebase.roots', [...roots, root])
    const report = await (
      await ctx.memory()
    ).update({ embed: true, collections: ['codebase'], progress: ctx.progress, signal: ctx.signal })
    return { root, ...toReport(report) }
  },
  render: (output) => `${output.root}: ${renderReport(output)}`,
})

/**
 * The real path of the folder. A link inside a repository may point anywhere, so an agent's path is judged by its
 * target.
 */
async function findRoot(ctx: Given<'machine'>, given: string | undefined): Promise<string> {
  const named = given ?? ctx.workspaceRoots().at(-1)!
  const root = await ctx.files.folder(ctx.pathNamed(named))
  // A page may index the folder it shows.
  const isFree = ctx.origin.surface === 'cli' || (isPerson(ctx.origin) && given === undefined)
  const granted = isFree ? undefined : await ctx.grantedRoots()
  if (granted !== undefined && !granted.some((own) => root !== undefined && isWithin(root, own))) {
    throw new AppError('forbidden', `${named} is outside the repositories that may be indexed from here.`, {
      hint: 'A person can add it at a terminal.',
    })
  }
  if (root === undefined)
    throw new AppError('not_found', notFound('Folder', named), { hint: 'Use the absolute path of a repository.' })
  return root
}
