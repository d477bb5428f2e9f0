import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ContextConfig } from '../core/context-project/config.ts'
import { configEntries, reachOf, type Reach } from '../core/context-project/reach.ts'
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
  readonly config: ContextConfig
  /** The variables of the project's `.env`. */
  readonly envFile: Readonly<Record<string, string | undefined>>
  readonly trust: TrustRecord
}

/**
 * Stands before everything that opens a source. Links and trust are looked at anew each time, because both change while
 * a server runs.
 */
export function openTrustGate({ root, config, envFile, trust }: TrustGateParts): TrustGate {
  const around = { outside: (path: string) => placeOutside(root, path), fromEnvFile: (name: string) => envFile[name] }
  const reach = (): readonly Reach[] => reachOf(config, around).filter(({ lines }) => lines.length > 0)
  return {
    reach,
    admit(key) {
      const entry = configEntries(config).find((one) => one.key === key)
      const reached = reachOf(config, around).find((one) => one.key === key)
      // What it reaches cannot be told, so nobody can have trusted it.
      if (entry === undefined || reached === undefined)
        throw new AppError('forbidden', `ken.yaml has no entry "${key}".`, { hint: 'Name it there first.' })
      const [field] = plainSecrets(entry.entry)
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

/**
 * Where a path of ken.yaml leads, links followed, when that is outside of the project; undefined when it stays inside.
 * The root is a real path.
 */
export function placeOutside(root: string, path: string): string | undefined {
  // An engine may take `s3://…` or `md:…` for an address, whatever folder it is put behind.
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return path
  const place = realPlace(resolve(root, path))
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? place : undefined
}

const MOST_LINKS = 40

/** The real path of a thing that may not be there: also a link that leads nowhere yet leads outside. */
function realPlace(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const link = linkOf(path)
    if (link !== undefined && links < MOST_LINKS)
      return realPlace(resolve(realPlace(dirname(path), links), link), links + 1)
    return dirname(path) === path ? path : join(realPlace(dirname(path), links), basename(path))
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
