import { AppError } from '../kernel/domain/errors.ts'
import type { ConfigEntry, ContextConfig } from './domain/context-project/config.ts'
import { entryFault } from './domain/context-project/entry-fault.ts'
import { reachOf, type JudgedReach, type Surroundings } from './domain/context-project/reach.ts'
import { hasReference, plainSecrets, variableFor } from './domain/context-project/secret-fields.ts'
import type { ContextRules } from './domain/context-project/source-rules.ts'
import { isTrusted, untrusted } from './domain/context-project/trust.ts'
import { SERVERS_FILE } from './domain/tool-server/server-config.ts'
import type { ContextFolder } from './ports/context-folder.ts'
import type { TrustRecord } from './ports/trust-record.ts'

export interface TrustGate {
  /**
   * Throws unless the entry may be opened now: `invalid_input` for a secret in ken.yaml or a typo, `not_found` for a
   * missing file, `forbidden` without the user's trust.
   */
  admit(key: string): void
  /** Problem with an entry independent of trust, without opening anything; undefined if there is none. */
  fault(key: string): AppError | undefined
  reach(): readonly JudgedReach[]
}

export interface TrustGateParts {
  /** Links are resolved. */
  readonly root: string
  readonly config: Pick<ContextConfig, 'entries'>
  readonly around: Surroundings & Pick<ContextFolder, 'missing'>
  readonly rules: ContextRules
  readonly trust: TrustRecord
}

/**
 * Guards everything that opens a source. Links and trust are checked again each time, because both change while a
 * server runs.
 */
export function openTrustGate({ root, config, around, rules, trust }: TrustGateParts): TrustGate {
  const entryOf = (key: string): ConfigEntry | undefined => config.entries.find((one) => one.key === key)
  const faultOf = (entry: ConfigEntry): AppError | undefined => entryFault(entry, rules) ?? missingFile(entry, around)
  return {
    reach() {
      const granted = trust.find(root)?.granted
      return reachOf(config, around)
        .filter(({ lines }) => lines.length > 0)
        .map((one) => ({ ...one, allowed: isTrusted(one, granted) }))
    },
    fault(key) {
      const entry = entryOf(key)
      return entry && faultOf(entry)
    },
    admit(key) {
      const entry = entryOf(key)
      const reached = reachOf(config, around).find((one) => one.key === key)
      // Its reach is unknown, so it cannot have been trusted.
      if (entry === undefined || reached === undefined)
        throw new AppError('forbidden', `ken.yaml has no entry "${key}".`, { hint: 'Name the server first.' })
      const granted = trust.find(root)?.granted
      const isAllowed = isTrusted(reached, granted)
      // A source that may be opened reports its faults itself.
      const fault = isAllowed && entry.list !== 'databases' ? undefined : faultOf(entry)
      const wrong = plainSecret(entry) ?? fault
      if (wrong !== undefined) throw wrong
      if (!isAllowed) throw untrusted(reached, granted, root)
    },
  }
}

function plainSecret({ key, list, value, secrets }: ConfigEntry): AppError | undefined {
  const [field] = plainSecrets(value, secrets)
  if (field === undefined) return undefined
  const name = variableFor(key.slice(key.lastIndexOf('/') + 1), field)
  const file = list === SERVERS_FILE ? list : 'ken.yaml'
  return new AppError('invalid_input', `${file}: ${key}: "${field}" contains a plain-text secret.`, {
    hint: `Write \${${name}} there, and set ${name} in the environment or in .env beside ken.yaml.`,
  })
}

/** An entry with several files may work without some of them. A folder of templates is optional. */
function missingFile(
  { key, list, reaches }: ConfigEntry,
  { missing }: Pick<ContextFolder, 'missing'>,
): AppError | undefined {
  if (key === 'templates') return undefined
  const opened = reaches.flatMap((reached) => ('opens' in reached ? [reached] : []))
  if (opened.some(({ opens }) => opens === '' || hasReference(opens) || missing(opens) === undefined)) return undefined
  const [first] = opened
  if (first === undefined) return undefined
  const { part, near } = missing(first.opens)!
  const what = part !== first.opens && list === 'databases' ? 'folder ' : list === 'databases' ? 'file ' : ''
  const instead =
    near === undefined ? (first.unless ?? `Check the path of ${key} in ken.yaml.`) : `Did you mean "${near}"?`
  return new AppError('not_found', `There is no ${what}${list === 'databases' ? part : first.opens}.`, {
    hint: instead,
  })
}
