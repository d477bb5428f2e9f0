import type { AgentClient } from '../../analyst/ports/agent-client.ts'
import type { Models } from '../../analyst/ports/models.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { LanguageModel } from '../../kernel/ports/language-model.ts'
import { STAGE_DEADLINES } from '../../memory/search-models.ts'
import type { Context } from '../../operations/context.ts'
import type { Reranker } from '../../retrieval/ports/reranker.ts'

export interface ModelCheck {
  readonly name: string
  readonly ok: boolean
  readonly found?: string
  readonly problem?: string
  readonly hint?: string
  readonly milliseconds: number
}

// Long enough for a model that must be loaded first.
const PATIENCE = 60_000

/** Sends every configured model one small question. An invalid setting is a failed check. */
export async function testModels({
  models,
  launcher,
}: Pick<Context, 'models' | 'launcher'>): Promise<readonly ModelCheck[]> {
  const checks = [
    await checkModel({
      kind: 'client',
      open: () => namedClient(models),
      async ask(client, signal) {
        await sayReady(client, launcher, signal)
        return 'answers'
      },
    }),
    await checkModel({
      kind: 'language model',
      open: models.language,
      async ask(model, signal) {
        await writeReady(model, signal)
        return 'answers'
      },
    }),
    await checkModel({
      kind: 'query expansion',
      open: models.expansion,
      ask: async (model, signal) =>
        plural((await model.expand('how do we retry failed payments', signal)).length, 'other wording'),
      deadline: STAGE_DEADLINES.expansion,
    }),
    await checkModel({ kind: 'reranker', open: models.reranker, ask: tellApart, deadline: STAGE_DEADLINES.rerank }),
    await checkModel({
      kind: 'embedder',
      open: models.embedder,
      async ask(model) {
        await model.embed(['How do we retry failed payments?'], 'query')
        return plural(model.dimensions, 'dimension')
      },
    }),
  ]
  return checks.flatMap((check) => check ?? [])
}

/** Tests one model or one client, which need not be the configured one. */
export async function testModelNamed(
  { models, launcher }: Pick<Context, 'models' | 'launcher'>,
  name: string,
): Promise<ModelCheck> {
  const check = await checkModel({
    kind: 'model',
    async open() {
      const answerer = await models.answerer(name)
      if (answerer === undefined) throw new AppError('invalid_input', 'no model is named')
      return { id: name, answerer }
    },
    async ask({ answerer }, signal) {
      if (answerer.kind === 'client') await sayReady(answerer.client, launcher, signal)
      else await writeReady(answerer.model, signal)
      return 'answers'
    },
  })
  return check!
}

const writeReady = (model: LanguageModel, signal: AbortSignal): Promise<unknown> =>
  model.write({ system: 'You answer with one word.', prompt: 'Say "ready".', maxTokens: 50, signal })

/** An invalid setting is reported by the check of the language model. */
async function namedClient(models: Models): Promise<AgentClient | undefined> {
  const answerer = await models.answerer().catch(() => undefined)
  return answerer?.kind === 'client' ? answerer.client : undefined
}

// Some clients reject a server without tools.
const TOOL = 'list_tables'

async function sayReady(client: AgentClient, launcher: readonly string[], signal: AbortSignal): Promise<void> {
  const system = 'You answer with one word and call no tool.'
  const server = { command: [...launcher, 'serve', '--stdio'], environment: {} }
  let said = ''
  for await (const event of client.ask({ system, prompt: 'Say "ready".', server, tools: [TOOL], maxSteps: 2, signal }))
    if (event.type === 'text') said += event.text
  if (said.trim() === '') throw new AppError('unavailable', 'it ended without output')
}

interface ModelTest<M> {
  readonly kind: string
  open(): Promise<M | undefined>
  ask(model: M, signal: AbortSignal): Promise<string>
  readonly deadline?: number
}

async function checkModel<M extends { readonly id: string }>({
  kind,
  open,
  ask,
  deadline = Infinity,
}: ModelTest<M>): Promise<ModelCheck | undefined> {
  const started = performance.now()
  const took = (): number => Math.round(performance.now() - started)
  let name = kind
  try {
    const model = await open()
    if (model === undefined) return undefined
    name = `${kind} ${model.id}`
    const found = await ask(model, AbortSignal.timeout(PATIENCE))
    const isSlow = took() > deadline
    return {
      name,
      ok: true,
      found: isSlow
        ? `${found}, but took longer than the ${deadline / 1000} s a search waits for it; it may be faster the next time`
        : found,
      milliseconds: took(),
    }
  } catch (thrown) {
    const { message, hint } = toAppError(thrown)
    return { name, ok: false, problem: message, ...(hint !== undefined && { hint }), milliseconds: took() }
  }
}

async function tellApart(model: Reranker, signal: AbortSignal): Promise<string> {
  const [fitting, unrelated] = await model.rerank(
    'Where does the job queue live?',
    ['The job queue lives in PostgreSQL.', 'Bananas ripen faster in a paper bag.'],
    signal,
  )
  if (fitting! > unrelated!) return 'tells a fitting passage from another'
  throw new AppError('unavailable', 'it scores an unrelated passage as high as a relevant one', {
    hint: 'Check that the model is a reranker, or set search.rerank to off.',
  })
}
