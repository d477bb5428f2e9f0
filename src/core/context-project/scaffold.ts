import { stringify } from 'yaml'
import { didYouMean } from '../close-match.ts'
import { AppError } from '../errors.ts'
import { configJsonSchema } from './config.ts'
import { plainSecrets } from './secret-fields.ts'
import { fieldsOf, type ContextRules, type WarehouseRules } from './source-rules.ts'

export interface ScaffoldRequest {
  readonly name: string
  readonly databases: readonly string[]
  readonly repositories: readonly string[]
  readonly docs: readonly string[]
}

/** Every file of a new context project, by path. */
export function scaffoldFiles(request: ScaffoldRequest, rules: ContextRules): Readonly<Record<string, string>> {
  const config = {
    name: request.name,
    databases: request.databases.map((text) => databaseEntry(text, rules)),
    ...(request.repositories.length > 0 && { repositories: request.repositories.map((text) => placedEntry(text)) }),
    ...(request.docs.length > 0 && { docs: request.docs.map((text) => placedEntry(text)) }),
  }
  const [plain] = plainSecrets(config)
  if (plain !== undefined)
    throw new AppError('invalid_input', `${plain} holds a secret.`, {
      hint: "Put it into .env and name it here, e.g. 'postgres:${DATABASE_URL}'.",
    })
  return {
    'ken.yaml': `# yaml-language-server: $schema=.ken/ken.schema.json\n# Secrets do not belong here: write \${NAME} and set NAME in the environment or in .env.\n${stringify(config)}`,
    '.ken/ken.schema.json': `${JSON.stringify(configJsonSchema(rules), null, 2)}\n`,
    '.kenignore': '# What agents may not read, in the syntax of .gitignore.\ntemplates/\n*.liquid\n',
    '.gitignore': '.env\n',
    'RULES.md': RULES,
    ...Object.fromEntries(FOLDERS.map((folder) => [`${folder}/.gitkeep`, ''])),
  }
}

export const FOLDERS = [
  'databases',
  'queries',
  'docs',
  'semantics',
  'repos',
  'agent/tools',
  'agent/mcps',
  'agent/skills',
  'tests',
] as const

const RULES = `# Rules

What everyone who answers questions from this data must know: how the business uses its words, which tables to
prefer, which traps there are. Short sentences, one rule each.
`

/** `[name=]type:where`, e.g. `duckdb:shop.duckdb` or `shop=postgres:\${DATABASE_URL}`. */
function databaseEntry(text: string, { warehouses }: ContextRules): Readonly<Record<string, string>> {
  const [, name, type, where] = /^(?:([\w.-]+)=)?([a-z]+):(.+)$/s.exec(text) ?? []
  if (type === undefined || where === undefined)
    throw new AppError('invalid_input', `"${text}" names no database.`, {
      hint: 'Write type:where, e.g. duckdb:shop.duckdb or postgres:${DATABASE_URL}.',
    })
  const warehouse = warehouses.find((one) => one.type === type)
  if (warehouse === undefined)
    throw new AppError('invalid_input', `There is no database type "${type}".`, {
      hint: didYouMean(
        type,
        warehouses.map((one) => one.type),
      ),
    })
  const isFile = warehouse.place === 'file'
  return { name: name ?? (isFile ? stem(where) : type), type, ...(isFile ? { path: where } : { url: where }) }
}

/** Databases that one path or one address is enough for. */
export const shortDatabases = ({ warehouses }: ContextRules): readonly WarehouseRules[] =>
  warehouses.filter(({ place, connection }) => place === 'file' || fieldsOf(connection).includes('url'))

/** `[name=]address or folder`. */
function placedEntry(text: string): Readonly<Record<string, string>> {
  const [, name, where] = /^(?:([\w.-]+)=)?(.+)$/s.exec(text)!
  const isAddress = /^[a-z][a-z+]*:\/\/|^[\w.-]+@[\w.-]+:/.test(where!)
  return { name: name ?? stem(where!), ...(isAddress ? { url: where! } : { path: where! }) }
}

const stem = (path: string): string =>
  (
    path
      .replace(/[/\\]+$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? ''
  )
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replaceAll(/[^\w.-]/g, '-') || 'source'
