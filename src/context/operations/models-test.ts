import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { orStopped } from '../../kernel/domain/stop.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { testModelNamed, testModels } from './test-models.ts'
import { checkLine, sourceCheck } from './test-source.ts'

export const modelsTest = defineOperation({
  name: 'models_test',
  title: 'Test the models',
  summary: 'Test the configured models with one small question each.',
  details: 'A model that costs money is asked for one word. `ken debug` does the same with the sources of the project.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['model'],
  input: {
    model: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Model to test, e.g. ollama:qwen3 or agent:codex; default: all configured models.'),
  },
  output: { checks: z.array(sourceCheck) },
  examples: [{ title: 'All that are set', input: {} }],
  async run(ctx, { model }) {
    const testing = model === undefined ? testModels(ctx) : testModelNamed(ctx, model).then((one) => [one])
    return { checks: [...(await orStopped(testing, ctx.signal))] }
  },
  render: ({ checks }, _input, view = PLAIN) =>
    checks.length === 0
      ? `No model is set, and none is needed. ${operationNamed('config_set', 'model.name ollama:qwen3')} sets one.`
      : checks.map((one) => checkLine(one, view)).join('\n'),
  exit: ({ checks }) => (checks.every((one) => one.ok) ? 0 : 1),
})
