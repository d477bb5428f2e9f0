import { z } from 'zod'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { configJsonSchema } from '../domain/context-project/config.ts'
import { projectFile, projectRoot, readProjectText, shownText } from './project-text.ts'

export const contextShow = defineOperation({
  name: 'context_show',
  title: 'Show ken.yaml or RULES.md',
  summary: 'Print ken.yaml or RULES.md with masked secrets.',
  details: 'Works for an invalid ken.yaml too. `ken context save` accepts the text, including its marks.',
  effect: 'read',
  words: 'own',
  needs: ['context', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['file'],
  input: {
    file: projectFile.default('ken.yaml').describe('ken.yaml or RULES.md.'),
    schema: z.boolean().default(false).describe('Also the JSON schema of ken.yaml.'),
  },
  output: {
    root: z.string(),
    file: projectFile,
    exists: z.boolean(),
    text: z.string(),
    version: z.string().describe('For --expect of `ken context save`.'),
    fixed: z.string().optional().describe('Why it cannot be changed through Ken.'),
    schema: z.record(z.string(), z.unknown()).optional(),
  },
  examples: [
    { title: 'ken.yaml', input: {} },
    { title: 'The rules', input: { file: 'RULES.md' } },
  ],
  async run(ctx, input) {
    const root = await projectRoot(ctx)
    const raw = await readProjectText(ctx, root, input.file)
    const { text, version, fixed } = await shownText(ctx, raw)
    return {
      root,
      file: input.file,
      exists: raw !== undefined,
      text,
      version,
      ...(fixed !== undefined && { fixed }),
      ...(input.schema && { schema: { ...configJsonSchema(await ctx.contextDefinitions()) } }),
    }
  },
  render: (output) => (output.exists ? output.text.trimEnd() : `There is no ${output.file} in ${output.root}.`),
})
