import { z } from 'zod'
import { AGENT_CLIENTS } from '../../kernel/domain/agent-client-name.ts'
import { modelFacts, modelsOf } from '../../kernel/domain/model-facts.ts'
import { readModelName } from '../../kernel/domain/model-name.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { projectKey } from './project-key.ts'

const DAYS_OF_USE = 90

const answerer = z.object({
  name: z.string().describe('Value for the setting model.name.'),
  kind: z.enum(['model', 'client']),
  why: z.enum(['set', 'used', 'key', 'installed']).describe('Why it is in the list.'),
  problem: z.string().optional().describe('Why it cannot be asked now.'),
  window: z.number().optional().describe('Tokens that it takes in and gives out together.'),
})

type Answerer = z.output<typeof answerer>

export const answerers = defineOperation({
  name: 'answerers',
  title: 'List answering models',
  summary: 'List the models and agents that can answer questions here.',
  details:
    'Lists the configured model, recently used ones, models of providers with a key, and installed coding agents. It calls none of them: `ken models test` does.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {},
  output: {
    set: z.string().describe('Value of model.name; empty if no model is set.'),
    answerers: z.array(answerer),
    absent: z.array(z.object({ name: z.string(), problem: z.string() })).describe('Agents that cannot be asked here.'),
  },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx) {
    const set = String(ctx.settings.get('model.name').value)
    const clients = await Promise.all(AGENT_CLIENTS.map((client) => clientNamed(ctx, `agent:${client}`)))
    const { keys } = await ctx.modelKeys.list()
    const found: Answerer[] = [
      ...(set === '' ? [] : [await described(ctx, set, 'set')]),
      ...(await Promise.all((await usedLately(ctx)).map((name) => described(ctx, name, 'used')))),
      ...clients.filter(({ problem }) => problem === undefined),
      ...keys.flatMap(({ provider }) =>
        modelsOf(provider).map((model): Answerer => {
          const { window } = modelFacts(provider, model)
          return { name: `${provider}:${model}`, kind: 'model', why: 'key', window }
        }),
      ),
    ]
    const once = new Map(found.toReversed().map((one) => [one.name, one]))
    return {
      set,
      answerers: [...once.values()].toReversed(),
      absent: clients.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ name, problem }])),
    }
  },
  render: ({ set, answerers: found }, _input, view = PLAIN) =>
    found.length === 0
      ? `Nobody can answer yet. ${operationNamed('config_set', 'model.name ollama:qwen3')} sets a model.`
      : table(
          found.map(({ name, why, problem }) => [name, name === set ? 'set' : why, problem ?? '']),
          [{ tone: 'title' }, { tone: 'dim' }, { shrinks: true, tone: 'bad' }],
          view,
        ).join('\n'),
})

const clientNamed = (ctx: Given<'analyst'>, name: string): Promise<Answerer> => described(ctx, name, 'installed')

/** Describes an answerer; opens it, so that a missing key or address is reported before the first question. */
async function described(ctx: Given<'analyst'>, name: string, why: Answerer['why']): Promise<Answerer> {
  const kind = readModelName(name) === undefined ? 'client' : 'model'
  try {
    const found = await ctx.models.answerer(name)
    const problem = found?.kind === 'client' ? await found.client.problem() : undefined
    return {
      name,
      kind,
      why,
      ...(problem !== undefined && { problem }),
      ...(found?.kind === 'model' && { window: found.model.window }),
    }
  } catch (thrown) {
    return { name, kind, why, problem: toAppError(thrown).message }
  }
}

async function usedLately(ctx: Given<'analyst'>): Promise<readonly string[]> {
  const { calls } = await ctx.analystState()
  const since = new Date(ctx.clock.now().getTime() - DAYS_OF_USE * 86_400_000).toISOString()
  const found = await calls.list({ user: ctx.user, project: await projectKey(ctx), since })
  return [...new Set(found.flatMap(({ purpose, failed, model }) => (purpose === 'answer' && !failed ? [model] : [])))]
}
