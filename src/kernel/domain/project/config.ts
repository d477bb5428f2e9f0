import { AppError } from '../errors.ts'
import { codePoints } from '../text.ts'

/** `<repo>/.ken/config.json`: the project of a repository. Committed with the code. */
export interface RepositoryConfig {
  readonly mode: 'local' | 'repo' | 'cloud'
  readonly id: string
  readonly name: string
  readonly schema_version: 1
  readonly server_url?: string
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/
const LONGEST_NAME = 100

export const isUlid = (id: string): boolean => ULID.test(id)

/** Parses a config that came with a clone: nothing in it is trusted, and the id becomes part of a path. */
export function parseRepositoryConfig(text: string, path: string): RepositoryConfig {
  const wrong = (what: string) =>
    new AppError('damaged', `${path}: ${what}.`, {
      hint: 'Restore the file from version control, or run `ken init` again.',
    })
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('it is not a JSON object')
  const version = value['schema_version']
  if (version !== 1)
    throw wrong(
      `its schema_version is ${typeof version === 'object' ? 'a list or an object' : JSON.stringify(version)}, and this Ken knows only 1`,
    )
  const { mode, id, name, server_url: server } = value
  if (mode !== 'local' && mode !== 'repo' && mode !== 'cloud') throw wrong('its mode is none of local, repo, cloud')
  if (typeof id !== 'string' || !isUlid(id)) throw wrong('its id is not a ULID')
  if (typeof name !== 'string' || name.trim() === '') throw wrong('it has no name')
  if (mode === 'cloud' && typeof server !== 'string') throw wrong('mode cloud needs a server_url')
  return { mode, id, name, schema_version: 1, ...(typeof server === 'string' ? { server_url: server } : {}) }
}

export const formatRepositoryConfig = (config: RepositoryConfig): string => `${JSON.stringify(config, null, 2)}\n`

/** Validates that a name can be shown, typed and used in a folder listing. */
export function checkProjectName(name: string): string {
  const trimmed = name.trim()
  const fault =
    trimmed === ''
      ? 'is empty'
      : codePoints(trimmed) > LONGEST_NAME
        ? `is longer than ${LONGEST_NAME} characters`
        : /[/\\]|\.\./.test(trimmed)
          ? 'contains a path'
          : /\p{C}/u.test(trimmed)
            ? 'contains characters that cannot be printed'
            : undefined
  if (fault !== undefined)
    throw new AppError('invalid_input', `The project name ${fault}.`, {
      hint: 'Choose a short plain name with --name.',
    })
  return trimmed
}
