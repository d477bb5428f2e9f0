import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation } from '../../operations/operation.ts'

const MOST = 500

export const listFiles = defineOperation({
  name: 'list_files',
  title: 'List a folder of the context',
  summary:
    'List what a folder of the context project holds: files with their size, folders with the number of files below.',
  searchHint: 'browse compiled context',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  onServer: {},
  positional: ['folder'],
  input: { folder: z.string().max(1_000).default('').describe('Relative to the project; its root by default.') },
  output: {
    folder: z.string(),
    folders: z.array(z.object({ name: z.string(), files: z.number() })),
    files: z.array(z.object({ name: z.string(), bytes: z.number() })),
    more: z.number().describe('Entries that were left out.'),
  },
  examples: [{ title: 'The project', input: {} }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const folder = input.folder
      .replace(/^(?:\.?\/)+/, '')
      .replace(/^\.$/, '')
      .replace(/\/+$/, '')
    if (folder.split('/').includes('..'))
      throw new AppError('forbidden', `${input.folder} is outside the context project.`, {
        hint: 'Use a folder relative to the project.',
      })
    const prefix = folder === '' ? '' : `${folder}/`
    const below = (await project.files.list(folder)).map((file) => ({ ...file, rest: file.path.slice(prefix.length) }))
    if (below.length === 0 && folder !== '')
      throw new AppError('not_found', `Folder ${folder} not found, or nothing in it is readable.`, {
        hint: 'List the folder above it.',
      })
    const folders = [
      ...Map.groupBy(
        below.filter(({ rest }) => rest.includes('/')),
        ({ rest }) => rest.slice(0, rest.indexOf('/')),
      ),
    ].map(([name, files]) => ({ name, files: files.length }))
    const files = below.filter(({ rest }) => !rest.includes('/')).map(({ rest, bytes }) => ({ name: rest, bytes }))
    return {
      folder,
      folders: folders.slice(0, MOST),
      files: files.slice(0, MOST),
      more: Math.max(0, folders.length - MOST) + Math.max(0, files.length - MOST),
    }
  },
  render(output, _input, view = PLAIN) {
    const rows = [
      ...output.folders.map(({ name, files }) => [`${name}/`, `(${files})`]),
      ...output.files.map(({ name, bytes }) => [name, String(bytes)]),
    ]
    const columns = [{ shrinks: true }, { align: 'right', tone: 'dim' }] as const
    const lines = [
      // Alignment spaces cost an agent tokens.
      ...(view.reader === 'person' ? table(rows, columns, view) : rows.map((cells) => cells.join('  '))),
      ...(output.more > 0 ? [`and ${output.more} more`] : []),
    ]
    return lines.join('\n') || 'empty'
  },
})
