import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { defineOperation } from './operation.ts'
import { renderReport, reportFields, toReport } from './memory-update.ts'

export const memoryIndexCodebase = defineOperation({
  name: 'memory_index_codebase',
  title: 'Index source code',
  summary: 'Put the source code of a repository into the index; .gitignore holds.',
  effect: 'write',
  words: 'own',
  toolset: 'memory',
  command: ['index-codebase', 'memory-index-codebase'],
  positional: ['root'],
  input: { root: z.string().max(4096).optional().describe('Absolute path; default: the repository here.') },
  output: { root: z.string(), ...reportFields },
  examples: [{ title: 'Here', input: {} }],
  async run(ctx, input) {
    const root = (input.root ?? ctx.workspaceRoots().at(-1)!).replace(/(.)[/\\]+$/, '$1')
    if (!/^(?:[/\\]|[A-Za-z]:)/.test(root) || (await ctx.files.list(root)) === undefined) {
      throw new AppError('not_found', `There is no folder ${root}.`, { hint: 'Give the absolute path of a repository.' })
    }
    const roots = ctx.settings.get('codebase.roots').value as string[]
    if (!roots.includes(root)) ctx.settings.set('codebase.roots', [...roots, root].join(','))
    const report = await (await ctx.memory()).update({ embed: true, collections: ['codebase'], progress: ctx.progress, signal: ctx.signal })
    return { root, ...toReport(report) }
  },
  render: (output) => `${output.root}: ${renderReport(output)}`,
})
