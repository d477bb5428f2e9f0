import { isUlid } from './config.ts'

export interface NauroProject {
  readonly id: string
  readonly name: string
  readonly repositories: readonly string[]
  /** Location of the project's store, if not the default. */
  readonly storePath: string | undefined
}

/** Project in a repository's `.nauro/config.json`; undefined if the text is not a valid config. */
export function readNauroConfig(text: string): { readonly id: string; readonly name: string } | undefined {
  const value = parseObject(text)
  const { id, name } = value ?? {}
  return typeof id === 'string' && isUlid(id) && typeof name === 'string' && name.trim() !== ''
    ? { id, name: name.trim() }
    : undefined
}

/** Projects in `registry.json`; invalid entries are left out. */
export function readNauroRegistry(text: string): NauroProject[] {
  const projects = parseObject(text)?.['projects']
  if (typeof projects !== 'object' || projects === null || Array.isArray(projects)) return []
  return Object.entries(projects).flatMap(([id, entry]: [string, unknown]) => {
    if (!isUlid(id) || typeof entry !== 'object' || entry === null) return []
    const { name, repo_paths: paths, store_path: storePath } = entry as Record<string, unknown>
    const repositories = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
    return [
      {
        id,
        name: typeof name === 'string' ? name : id,
        repositories,
        storePath: typeof storePath === 'string' ? storePath : undefined,
      },
    ]
  })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
