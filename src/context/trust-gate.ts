import type { ContextConfig } from '../core/context-project/config.ts'
import { reachOf, type Reach, type Surroundings } from '../core/context-project/reach.ts'
import { plainSecrets } from '../core/context-project/secret-fields.ts'
import { isTrusted, untrusted } from '../core/context-project/trust.ts'
import { AppError } from '../core/errors.ts'
import type { TrustRecord } from '../ports/trust-record.ts'

export interface TrustGate {
  /**
   * Throws unless the entry may be opened now: `invalid_input` for a secret in ken.yaml, `forbidden` for what the user
   * does not trust.
   */
  admit(key: string): void
  reach(): readonly Reach[]
}

export interface TrustGateParts {
  /** Links followed. */
  readonly root: string
  readonly config: Pick<ContextConfig, 'entries'>
  readonly around: Surroundings
  readonly trust: TrustRecord
}

/**
 * Stands before everything that opens a source. Links and trust are looked at anew each time, because both change while
 * a server runs.
 */
export function openTrustGate({ root, config, around, trust }: TrustGateParts): TrustGate {
  return {
    reach: () => reachOf(config, around).filter(({ lines }) => lines.length > 0),
    admit(key) {
      const entry = config.entries.find((one) => one.key === key)
      const reached = reachOf(config, around).find((one) => one.key === key)
      // Nobody knows what it reaches, so nobody can have trusted it.
      if (entry === undefined || reached === undefined)
        throw new AppError('forbidden', `ken.yaml has no entry "${key}".`, { hint: 'Name it there first.' })
      const [field] = plainSecrets(entry.value, entry.secrets)
      if (field !== undefined) throw holdsSecret(key, field)
      const granted = trust.find(root)?.granted
      if (!isTrusted(reached, granted)) throw untrusted(reached, granted, root)
    },
  }
}

function holdsSecret(key: string, field: string): AppError {
  const name = `${key.slice(key.lastIndexOf('/') + 1)}_${field}`.replaceAll(/\W/g, '_').toUpperCase()
  return new AppError('invalid_input', `ken.yaml: ${key}: "${field}" holds a secret as it is.`, {
    hint: `Write \${${name}} there, and set ${name} in the environment or in .env beside ken.yaml.`,
  })
}
