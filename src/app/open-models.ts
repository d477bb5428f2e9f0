import type { Models } from '../analyst/ports/models.ts'
import { readAgentName } from '../kernel/domain/agent-client-name.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { modelFacts, readPrices, type ModelFacts } from '../kernel/domain/model-facts.ts'
import { MODEL_NAME, readModelName, type ModelProvider } from '../kernel/domain/model-name.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import type { QueryExpansion } from '../retrieval/ports/query-expansion.ts'
import type { Reranker } from '../retrieval/ports/reranker.ts'
import type { openModelKeys } from './model-keys.ts'
import { openAgentClient } from './open-agent-clients.ts'
import type { Environment } from './settings.ts'

/** The models from the settings. Loaded on first use; a faulty setting is reported then, and again each time. */
export function openModels(
  settings: Settings,
  environment: Environment,
  keys: ReturnType<typeof openModelKeys>,
): Omit<Models, 'embedder'> & { close(): Promise<void> } {
  const text = (name: string): string => String(settings.get(name).value)
  const opened: { close(): Promise<void> }[] = []
  const place = { text, environment, keys }
  // The model, address or key may change while a server runs: each model is opened with the current settings.
  const asSet = <T extends { close(): Promise<void> }>(open: (name: string) => Promise<T | undefined>) => {
    const known = new Map<string, () => Promise<T | undefined>>()
    return (name = text('model.name')): Promise<T | undefined> => {
      const as = JSON.stringify([name, keys.changes(), ...MODEL_SETTINGS.map(text)])
      if (!known.has(as))
        known.set(
          as,
          once(() => open(name), opened),
        )
      return known.get(as)!()
    }
  }
  const modelNamed = asSet((name) => openLanguageModel(name, place))
  const language = (): Promise<LanguageModel | undefined> => modelNamed()
  const reranker = asSet(() => openReranker(text, environment, language))
  const expansion = asSet(async (): Promise<QueryExpansion | undefined> => {
    if (settings.get('search.expand').value !== true) return undefined
    const model = needed(await language(), 'search.expand')
    return (await import('../analyst/adapters/model-expand.ts')).openModelExpansion(model)
  })
  return {
    language,
    async answerer(name = text('model.name')) {
      const client = readAgentName(name)
      if (client !== undefined) return { kind: 'client', client: await openAgentClient(client, environment) }
      if (!MODEL_NAME.pattern.test(name))
        throw new AppError('invalid_input', `No model named ${name}: a model ${MODEL_NAME.fault}.`, {
          hint: MODEL_NAME.hint,
        })
      const model = await modelNamed(name)
      return model === undefined ? undefined : { kind: 'model', model }
    },
    reranker: () => reranker(),
    expansion: () => expansion(),
    async close() {
      for (const model of opened.splice(0).toReversed()) await model.close()
    },
  }
}

const MODEL_SETTINGS = [
  'model.name',
  'model.url',
  'model.key',
  'model.region',
  'model.project',
  'model.window',
  'model.prices',
  'search.expand',
  'search.rerank',
  'search.rerankUrl',
  'search.rerankModel',
  'search.rerankKey',
]

type Text = (name: string) => string

interface ModelSettings {
  readonly text: Text
  readonly environment: Environment
  readonly keys: ReturnType<typeof openModelKeys>
}

async function openLanguageModel(
  name: string,
  { text, environment, keys }: ModelSettings,
): Promise<LanguageModel | undefined> {
  const named = readModelName(name)
  if (named === undefined) return undefined
  const own = ownSettings(named, text)
  const key = keyFrom(environment, own('model.key'), 'model.key')
  const access = key === undefined ? await keys.accessTo(named.provider) : { key }
  const [{ openAiSdkModel }, { secretRedactor }] = await Promise.all([
    import('../analyst/model/index.ts'),
    import('../kernel/domain/secrets/redact.ts'),
  ])
  const place = {
    url: own('model.url') || undefined,
    region: text('model.region') || undefined,
    project: text('model.project') || undefined,
    access,
  }
  const isSet = name === text('model.name')
  return openAiSdkModel({
    ...named,
    place,
    facts: isSet ? factsOf(named, text) : modelFacts(named.provider, named.model),
    redactor: secretRedactor,
  })
}

/** Providers without a default address. */
const PLACED: readonly ModelProvider[] = ['compatible', 'ollama', 'azure']

/**
 * Returns a provider's settings. They are never passed to another provider: an address receives all text, and a key
 * gives access to an account.
 */
function ownSettings({ provider }: { readonly provider: ModelProvider }, text: Text): Text {
  const set = readModelName(text('model.name'))
  const isOwn = set === undefined ? PLACED.includes(provider) : set.provider === provider
  return isOwn ? text : () => ''
}

function factsOf(
  { provider, model }: { readonly provider: ModelProvider; readonly model: string },
  text: Text,
): ModelFacts {
  const known = modelFacts(provider, model)
  const prices = readPrices(text('model.prices')) ?? known.prices
  return { window: Number(text('model.window')) || known.window, ...(prices !== undefined && { prices }) }
}

async function openReranker(
  text: Text,
  environment: Environment,
  language: () => Promise<LanguageModel | undefined>,
): Promise<Reranker | undefined> {
  const kind = text('search.rerank')
  if (kind === 'off') return undefined
  if (kind === 'model')
    return (await import('../analyst/adapters/model-rerank.ts')).openModelReranker(
      needed(await language(), 'search.rerank'),
    )
  const url = text('search.rerankUrl')
  if (url === '')
    throw new AppError('invalid_input', 'search.rerank is http, but search.rerankUrl is not set.', {
      hint: 'Set it, for example `ken config set search.rerankUrl http://127.0.0.1:8080/v1/rerank`.',
    })
  const [{ openHttpReranker }, { secretRedactor }] = await Promise.all([
    import('../retrieval/adapters/http-rerank.ts'),
    import('../kernel/domain/secrets/redact.ts'),
  ])
  return openHttpReranker({
    url,
    model: text('search.rerankModel') || undefined,
    key: keyFrom(environment, text('search.rerankKey'), 'search.rerankKey'),
    redactor: secretRedactor,
  })
}

export function keyFrom(environment: Environment, variable: string, setting: string): string | undefined {
  if (variable === '') return undefined
  const key = environment[variable]
  if (!key)
    throw new AppError('invalid_input', `${setting} names the environment variable ${variable}, which is not set.`, {
      hint: 'Set it where Ken runs, or name another.',
    })
  return key
}

function needed(model: LanguageModel | undefined, setting: string): LanguageModel {
  if (model === undefined)
    throw new AppError('invalid_input', `${setting} needs a language model, but model.name is not set.`, {
      hint: 'Set one, for example `ken config set model.name ollama:qwen3`.',
    })
  return model
}

/** Opens on the first call; a failure is retried on the next. */
function once<T extends { close(): Promise<void> }>(
  open: () => Promise<T | undefined>,
  opened: { close(): Promise<void> }[],
): () => Promise<T | undefined> {
  let opening: Promise<T | undefined> | undefined
  const start = async (): Promise<T | undefined> => {
    try {
      const model = await open()
      if (model !== undefined) opened.push(model)
      return model
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return () => (opening ??= start())
}
