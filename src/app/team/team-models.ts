import { join } from 'node:path'
import type { Models } from '../../analyst/ports/models.ts'
import { readAgentName } from '../../kernel/domain/agent-client-name.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Keychain } from '../../kernel/ports/keychain.ts'
import type { Settings } from '../../kernel/ports/settings.ts'
import { openYamlSettings } from '../../kernel/system/settings.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import { openModelKeys } from '../model-keys.ts'
import { openModels } from '../open-models.ts'
import { SETTINGS, type Environment } from '../settings.ts'

export interface TeamModels {
  /** Settings of the operator; read-only for callers. */
  readonly settings: Settings
  readonly models: Models
  close(): Promise<void>
}

/**
 * Opens a server's models: from its environment, or from config.yml in KEN_HOME if that is set. Callers can only use
 * the configured model, because its key is the server's.
 */
export function openTeamModels(
  environment: Environment,
  embedder: () => Promise<Embedder | undefined>,
  warn: (message: string) => void,
): TeamModels {
  const { KEN_HOME: home } = environment
  const opened = openYamlSettings({
    // Does not use the config of the user that the server runs as: it was set for one person.
    path: home ? join(home, 'config.yml') : NO_FILE,
    definitions: SETTINGS,
    environment,
    warn,
  })
  const named = openModels(opened, environment, openModelKeys(environment, NO_KEYCHAIN))
  const set = (): string => String(opened.get('model.name').value)
  return {
    settings: { ...opened, set: refuse, unset: refuse, unknown: () => [] },
    models: {
      ...named,
      async answerer(name = set()) {
        if (name !== set())
          throw new AppError('forbidden', `This server does not use ${name}.`, {
            hint: set() === '' ? 'It has no model.' : `It asks ${set()}; leave the model out.`,
          })
        if (readAgentName(name) !== undefined)
          throw new AppError(
            'unavailable',
            'The server’s model is a local program, which it does not start for users.',
            {
              hint: 'The server’s operator must set KEN_MODEL to provider:model.',
            },
          )
        return named.answerer(name)
      },
      embedder,
    },
    close: () => named.close(),
  }
}

/** A path below a file cannot exist. */
const NO_FILE = '/dev/null/config.yml'

const refuse = (): never => {
  throw new AppError('forbidden', 'Server settings are set by the server’s operator.')
}

const NO_KEYCHAIN: Keychain = { get: async () => undefined, set: async () => refuse(), remove: async () => refuse() }
