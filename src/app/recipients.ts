import type { ModelAccess } from '../analyst/model/providers.ts'
import { readAgentName } from '../kernel/domain/agent-client-name.ts'
import { readModelName, type ModelProvider } from '../kernel/domain/model-name.ts'
import type { Projects } from '../kernel/ports/projects.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import { kindOf } from '../retrieval/domain/embedding/embedder-choice.ts'
import type { Recipient } from '../setup/ports/recipients.ts'
import { EMBEDDERS } from './providers.ts'

interface RecipientParts {
  readonly settings: Settings
  readonly projects: Pick<Projects, 'list'>
  accessTo(provider: ModelProvider): Promise<ModelAccess>
}

/** All services that receive text according to the settings, determined from the same tables that open the models. */
export async function recipients({ settings, projects, accessTo }: RecipientParts): Promise<readonly Recipient[]> {
  const text = (name: string): string => String(settings.get(name).value)
  const found = await Promise.all([model(text, accessTo), embedder(text, settings), reranker(text)])
  const setting = settings.get('team.search').value === true ? '`ken link`, team.search' : '`ken link`'
  return [...found.filter((one) => one !== undefined), ...teams(await projects.list(), setting)]
}

const teams = (projects: Awaited<ReturnType<Projects['list']>>, setting: string): readonly Recipient[] =>
  projects.flatMap(({ name, team }) =>
    team === undefined ? [] : [{ what: 'team', name, setting, ...placeOf(team.server) }],
  )

type Text = (name: string) => string

async function model(text: Text, accessTo: RecipientParts['accessTo']): Promise<Recipient | undefined> {
  const name = text('model.name')
  const facts = { name, setting: 'model.name' }
  if (readAgentName(name) !== undefined) return { ...facts, what: 'coding agent', host: undefined, isHere: false }
  const named = readModelName(name)
  if (named === undefined) return undefined
  const { PROVIDERS } = await import('../analyst/model/providers.ts')
  const url = async (): Promise<string> => {
    // Only Vertex's address depends on its credentials; the others need no key here.
    const access = named.provider === 'vertex' ? await accessTo('vertex') : {}
    const place = { url: undefined, region: text('model.region') || undefined, project: text('model.project'), access }
    return text('model.url') || PROVIDERS[named.provider].url(place)
  }
  return { ...facts, what: 'language model', ...placeOf(await url().catch(() => undefined)) }
}

async function embedder(text: Text, settings: Settings): Promise<Recipient | undefined> {
  const name = text('search.embedder')
  if (settings.get('search.embeddings').value !== true) return undefined
  const definition = await EMBEDDERS.find((one) => kindOf(one.name) === kindOf(name))?.load()
  if (definition === undefined || !definition.sendsText) return undefined
  return {
    what: 'embedder',
    name,
    setting: 'search.embedder',
    ...placeOf(text('search.embedderUrl') || definition.usualUrl),
  }
}

function reranker(text: Text): Recipient | undefined {
  // With `model`, the language model is already listed.
  if (text('search.rerank') !== 'http') return undefined
  const url = text('search.rerankUrl')
  return { what: 'reranker', name: text('search.rerankModel') || 'http', setting: 'search.rerank', ...placeOf(url) }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** An invalid address is not assumed to be this machine. */
function placeOf(url: string | undefined): Pick<Recipient, 'host' | 'isHere'> {
  const read = url === undefined ? null : URL.parse(url)
  return read === null ? { host: undefined, isHere: false } : { host: read.host, isHere: LOOPBACK.test(read.hostname) }
}
