import type { ModelAccess } from '../analyst/model/providers.ts'
import type { ModelKeys } from '../analyst/ports/model-keys.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { MODEL_PROVIDERS, usualKeys, type ModelProvider } from '../kernel/domain/model-name.ts'
import { operationNamed } from '../kernel/domain/named-operation.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Keychain } from '../kernel/ports/keychain.ts'
import type { Environment } from './settings.ts'

/** Looks for keys in the environment first, then in the keychain. */
export function openModelKeys(
  environment: Environment,
  keychain: Keychain,
): ModelKeys & {
  /** Credentials for a provider; throws `invalid_input` if it needs a key and there is none. */
  accessTo(provider: ModelProvider): Promise<ModelAccess>
  /** Number of key changes here: anything opened with an older key is outdated. */
  changes(): number
} {
  let changes = 0
  const inEnvironment = (provider: ModelProvider): string | undefined =>
    usualKeys(provider).find((name) => environment[name])
  return {
    async accessTo(provider) {
      const variable = inEnvironment(provider)
      if (variable !== undefined) return { key: environment[variable] }
      const other = withoutKey(provider, environment)
      if (other !== undefined) return other
      // A locked keychain would prompt for its password, for a server that needs no key.
      if (provider === 'ollama') return {}
      const kept = await keychain.get(provider).catch(() => undefined)
      if (kept !== undefined) return { key: kept }
      const [usual] = usualKeys(provider)
      if (usual === undefined) return {}
      throw new AppError('invalid_input', `${provider} needs a key, and ${usual} is not set.`, {
        hint: `Set it where Ken runs${OTHER_WAYS[provider] ?? ''}, name another variable with \`ken config set model.key NAME\`, or put the key into the keychain: ${operationNamed('key_set', provider)}.`,
      })
    },
    changes: () => changes,
    async list() {
      const keys = MODEL_PROVIDERS.flatMap((provider) => {
        const variable = inEnvironment(provider)
        return variable === undefined ? [] : [{ provider, source: 'environment' as const, variable }]
      })
      try {
        const kept = await Promise.all(
          MODEL_PROVIDERS.map(async (provider) => ((await keychain.get(provider)) === undefined ? [] : [provider])),
        )
        return { keys: [...keys, ...kept.flat().map((provider) => ({ provider, source: 'keychain' as const }))] }
      } catch (error) {
        return { keys, problem: toAppError(error).message }
      }
    },
    async set(provider, key) {
      changes++
      await keychain.set(provider, key).catch((error: unknown) => {
        throw orVariable(provider, error)
      })
    },
    remove(provider) {
      changes++
      return keychain.remove(provider).catch((error: unknown) => {
        throw orVariable(provider, error)
      })
    },
  }
}

const OTHER_WAYS: Readonly<Partial<Record<ModelProvider, string>>> = {
  bedrock: ' (or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
  vertex: ' (or GOOGLE_APPLICATION_CREDENTIALS, the path of a key file)',
}

/** Returns credentials of cloud providers that do not use a key. */
function withoutKey(provider: ModelProvider, environment: Environment): ModelAccess | undefined {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, GOOGLE_APPLICATION_CREDENTIALS } = environment
  if (provider === 'bedrock' && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
    return {
      aws: {
        accessKeyId: AWS_ACCESS_KEY_ID,
        secretAccessKey: AWS_SECRET_ACCESS_KEY,
        sessionToken: AWS_SESSION_TOKEN,
      },
    }
  return provider === 'vertex' && GOOGLE_APPLICATION_CREDENTIALS
    ? { keyFile: GOOGLE_APPLICATION_CREDENTIALS }
    : undefined
}

function orVariable(provider: ModelProvider, error: unknown): AppError {
  const { code, message, hint } = toAppError(error)
  const [variable = 'a variable that model.key names'] = usualKeys(provider)
  const instead = `Set ${variable} where Ken runs instead.`
  return new AppError(code, message, { hint: hint === undefined ? instead : `${hint} ${instead}`, cause: error })
}
