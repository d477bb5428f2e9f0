import { readAgentName } from '../core/agent-client-name.ts'
import { AppError } from '../core/errors.ts'
import { UNKNOWN_WINDOW } from '../core/model-facts.ts'
import { readModelName, type ModelProvider } from '../core/model-name.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Models } from '../ports/models.ts'
import type { QueryExpansion } from '../ports/query-expansion.ts'
import type { Reranker } from '../ports/reranker.ts'
import type { Settings } from '../ports/settings.ts'
import { openAgentClient } from './open-agent-clients.ts'
import type { Environment } from './settings.ts'

/** Where keys usually are when model.key names no variable. */
const USUAL_KEYS: Readonly<Partial<Record<ModelProvider, string>>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
}

/**
 * The models that the settings name. Loaded when first asked for; a fault in a setting is reported then, and again each
 * time.
 */
export function openModels(
  settings: Settings,
  environment: Environment,
): Omit<Models, 'embedder'> & { close(): Promise<void> } {
  const text = (name: string): string => String(settings.get(name).value)
  const opened: { close(): Promise<void> }[] = []
  const language = once(() => openLanguageModel(text, environment), opened)
  return {
    language,
    async answerer(name) {
      const client = readAgentName(name ?? text('model.name'))
      if (client !== undefined) return { kind: 'client', client: await openAgentClient(client, environment) }
      if (name !== undefined) throw new AppError('internal', `There is no way to ask ${name} yet.`)
      const model = await language()
      return model === undefined ? undefined : { kind: 'model', model }
    },
    reranker: once(() => openReranker(text, environment, language), opened),
    expansion: once(async (): Promise<QueryExpansion | undefined> => {
      if (settings.get('search.expand').value !== true) return undefined
      const model = needed(await language(), 'search.expand')
      return (await import('../adapters/expand/model/index.ts')).openModelExpansion(model)
    }, opened),
    async close() {
      for (const model of opened.splice(0).toReversed()) await model.close()
    },
  }
}

type Text = (name: string) => string

async function openLanguageModel(text: Text, environment: Environment): Promise<LanguageModel | undefined> {
  const named = readModelName(text('model.name'))
  if (named === undefined) return undefined
  const url = text('model.url') || undefined
  if (named.provider === 'compatible' && url === undefined)
    throw new AppError('invalid_input', 'model.name is compatible:…, and model.url does not say where.', {
      hint: 'Set it, for example `ken config set model.url http://127.0.0.1:1234/v1`.',
    })
  const key = keyFrom(environment, text('model.key'), 'model.key') ?? usualKey(named.provider, environment)
  const [{ openAiSdkModel }, { secretRedactor }] = await Promise.all([
    import('../adapters/model/ai-sdk/index.ts'),
    import('../core/secrets/redact.ts'),
  ])
  return openAiSdkModel({ ...named, url, key, facts: { window: UNKNOWN_WINDOW }, redactor: secretRedactor })
}

async function openReranker(
  text: Text,
  environment: Environment,
  language: () => Promise<LanguageModel | undefined>,
): Promise<Reranker | undefined> {
  const kind = text('search.rerank')
  if (kind === 'off') return undefined
  if (kind === 'model')
    return (await import('../adapters/rerank/model/index.ts')).openModelReranker(
      needed(await language(), 'search.rerank'),
    )
  const url = text('search.rerankUrl')
  if (url === '')
    throw new AppError('invalid_input', 'search.rerank is http, and search.rerankUrl does not say where.', {
      hint: 'Set it, for example `ken config set search.rerankUrl http://127.0.0.1:8080/v1/rerank`.',
    })
  const [{ openHttpReranker }, { secretRedactor }] = await Promise.all([
    import('../adapters/rerank/http/index.ts'),
    import('../core/secrets/redact.ts'),
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

function usualKey(provider: ModelProvider, environment: Environment): string | undefined {
  const variable = USUAL_KEYS[provider]
  if (variable === undefined) return undefined
  const key = environment[variable]
  if (!key)
    throw new AppError('invalid_input', `${provider} needs a key, and ${variable} is not set.`, {
      hint: 'Set it where Ken runs, or name another variable with `ken config set model.key NAME`.',
    })
  return key
}

function needed(model: LanguageModel | undefined, setting: string): LanguageModel {
  if (model === undefined)
    throw new AppError('invalid_input', `${setting} needs a language model, and model.name names none.`, {
      hint: 'Set one, for example `ken config set model.name ollama:qwen3`.',
    })
  return model
}

/** Opens on the first call; what failed is tried again on the next. */
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
