import { join } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import { secretRedactor } from '../kernel/domain/secrets/redact.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import { kindOf, readEmbedderChoice } from '../retrieval/domain/embedding/embedder-choice.ts'
import type { RedactedEmbedder } from '../retrieval/embed/define-embedder.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { BUNDLED_MODEL, openBundledEmbedder } from './bundled-model.ts'
import { keyFrom } from './open-models.ts'
import { EMBEDDERS } from './providers.ts'
import type { Environment } from './settings.ts'

export interface Embedders {
  /** Returns the bundled embedder, which decision verdicts are calibrated for; undefined if embeddings are off. */
  bundled(): Promise<Embedder | undefined>
  /** Returns the embedder set in search.embedder. */
  chosen(): Promise<Embedder | undefined>
  /** Returns the chosen embedder if it takes almost no time, as the bundled one does; otherwise undefined. */
  quick(): Promise<Embedder | undefined>
  close(): Promise<void>
}

export interface EmbeddersParts {
  readonly home: string
  readonly settings: Settings
  readonly environment: Environment
  readonly clock: Clock
}

const CHOICE = ['search.embedder', 'search.embedderUrl', 'search.embedderKey']

// Milliseconds during which searches do not wait again for an unreachable embedder.
const REST_AFTER_FAILURE = 15_000

/** Opens each embedder on first use and then shares it. */
export function openEmbedders({ home, settings, environment, clock }: EmbeddersParts): Embedders {
  const ending = new AbortController()
  const text = (name: string): string => String(settings.get(name).value)
  const isOn = (): boolean => settings.get('search.embeddings').value === true
  const choice = () => readEmbedderChoice(text('search.embedder'))
  let bundled: Promise<Embedder | undefined> | undefined
  let chosen: Promise<Embedder | undefined> | undefined
  let chosenAs = ''
  let goodUntil = Infinity
  const opened = new Set<Promise<Embedder | undefined>>()

  const openBundled = async () => (isOn() ? (bundled ??= openBundledEmbedder()) : undefined)

  /** Returns the provider's usual key; a self-hosted endpoint may need none. */
  function usualKey({ usualKey: variable }: RedactedEmbedder): string | undefined {
    if (variable === undefined || text('search.embedderUrl') !== '') return undefined
    const key = environment[variable]
    if (!key)
      throw new AppError('invalid_input', `${choice().kind} needs a key, and ${variable} is not set`, {
        hint: 'Set it where Ken runs, or name another variable with `ken config set search.embedderKey NAME`.',
      })
    return key
  }

  async function openChosen(): Promise<Embedder | undefined> {
    const { kind, model } = choice()
    const definition = await EMBEDDERS.find(({ name }) => kindOf(name) === kind)?.load()
    if (definition === undefined) throw new AppError('invalid_input', `No embedder named "${kind}"`)
    if (!definition.sendsText)
      return definition.open({ model, bundledModel: BUNDLED_MODEL, modelsFolder: modelsFolder(home) })
    return definition.open({
      model,
      url: text('search.embedderUrl') || definition.usualUrl,
      key: keyFrom(environment, text('search.embedderKey'), 'search.embedderKey') ?? usualKey(definition),
      redactor: secretRedactor,
      signal: ending.signal,
    })
  }

  return {
    bundled: openBundled,
    quick: async () => (choice().kind === 'bundled' ? openBundled() : undefined),
    chosen() {
      if (!isOn() || choice().kind === 'bundled') return openBundled()
      const as = JSON.stringify(CHOICE.map(text))
      // The chosen embedder may change while a server runs.
      if (chosen !== undefined && chosenAs === as && clock.now().getTime() < goodUntil) return chosen
      goodUntil = Infinity
      chosenAs = as
      chosen = openChosen()
      const opening = chosen
      opened.add(opening)
      opening.catch(() => {
        opened.delete(opening)
        goodUntil = clock.now().getTime() + REST_AFTER_FAILURE
      })
      return chosen
    },
    async close() {
      ending.abort()
      for (const one of [bundled, ...opened]) await (await one?.catch(() => undefined))?.close()
    },
  }
}

export const modelsFolder = (home: string): string => join(home, 'models')
