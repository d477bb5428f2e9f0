import { sha256 } from '../sha256.ts'
import { isSqlDialect, type SqlDialect } from '../sql/name-traits.ts'
import { connectionOf, type ContextConfig, type DatabaseConfig } from './config.ts'
import { referredNames, SECRET_VARIABLE } from './references.ts'
import { isSecretField, REFERENCE, withoutSecrets } from './secret-fields.ts'

/** What one entry of ken.yaml reaches beyond the files of its project. */
export interface Reach {
  /** As the source is called: `database/shop`; `templates` for the folder of templates. */
  readonly key: string
  /** In plain words, without secrets; none when the entry stays inside. */
  readonly lines: readonly string[]
}

export interface Surroundings {
  /** Where a path leads when that is outside of the project, links followed; undefined when it stays inside. */
  outside(path: string): string | undefined
  /** A variable of the project's own `.env`, which a clone may bring along like ken.yaml itself. */
  fromEnvFile(name: string): string | undefined
}

/** What every entry reaches. Only what decides that is looked at, so other edits of ken.yaml change nothing here. */
export function reachOf(config: ContextConfig, around: Surroundings): readonly Reach[] {
  return configEntries(config).map(({ key, entry, opens, fetches, uses, tellsModel }) => {
    const filled = (field: string, text: string): string => fillFromFile(field, text, around)
    const opened = opens.flatMap((path) => outsideLine(filled('path', path), around))
    const fetched =
      fetches === undefined ? [] : [`fetch ${withoutSecrets('url', filled('url', fetches.url))}${fetches.by}`]
    const used =
      uses === undefined
        ? []
        : [
            `use ${/^[aeiou]/i.test(uses.type) ? 'an' : 'a'} ${uses.type} database`,
            ...fieldLines(connectionOf(uses), filled),
          ]
    const taken = referredNames(entry).map((name) => `take ${name} from the environment`)
    const told = tellsModel ? ['tell your language model what is in its tables'] : []
    return { key, lines: [...opened, ...fetched, ...used, ...taken, ...told].map(visible) }
  })
}

interface ConfigEntry {
  readonly key: string
  /** As ken.yaml has it. */
  readonly entry: unknown
  readonly opens: readonly string[]
  readonly fetches: { readonly url: string; readonly by: string } | undefined
  readonly uses: DatabaseConfig | undefined
  readonly tellsModel: boolean
}

/** Every entry that opens something, under the key of its source. */
export function configEntries(config: ContextConfig): readonly ConfigEntry[] {
  const { notion, confluence } = config
  const entryOf = (key: string, entry: unknown, does: Partial<ConfigEntry>): ConfigEntry => ({
    key,
    entry,
    opens: [],
    fetches: undefined,
    uses: undefined,
    tellsModel: false,
    ...does,
  })
  const placed = (entry: { url?: string | undefined; path?: string | undefined }, by: string): Partial<ConfigEntry> =>
    entry.url === undefined ? { opens: [entry.path ?? ''] } : { fetches: { url: entry.url, by } }
  return [
    ...config.databases.map((one) => {
      const does = isFileDatabase(one) ? { opens: [String(one['path'] ?? '')] } : { uses: one }
      return entryOf(`database/${one.name}`, one, { ...does, tellsModel: one.documents.includes('ai_summary') })
    }),
    ...config.repositories.map((one) => entryOf(`repository/${one.name}`, one, placed(one, ' with git'))),
    ...config.docs.map((one) => entryOf(`docs/${one.name}`, one, placed(one, ''))),
    ...(notion === undefined ? [] : [entryOf('notion', notion, { fetches: { url: notion.url, by: '' } })]),
    ...(confluence === undefined
      ? []
      : [entryOf('confluence', confluence, { fetches: { url: confluence.url, by: '' } })]),
    ...config.dbt.map((one) => entryOf(`dbt/${one.name}`, one, { opens: [`${one.path}/target/manifest.json`] })),
    entryOf('templates', config.templates, { opens: [config.templates] }),
  ]
}

/**
 * Whether a database is a file, for every type there is. A type that is not here is taken for a server: it asks for
 * trust.
 */
const IS_FILE: Readonly<Record<SqlDialect, boolean>> = {
  duckdb: true,
  sqlite: true,
  postgres: false,
  mysql: false,
  bigquery: false,
  snowflake: false,
  redshift: false,
  databricks: false,
  clickhouse: false,
  mssql: false,
  trino: false,
  athena: false,
}

const isFileDatabase = ({ type }: DatabaseConfig): boolean => isSqlDialect(type) && IS_FILE[type]

/** A person decides by these lines, so nothing in them may hide, turn around or move the cursor. */
const visible = (line: string): string =>
  line.replaceAll(/[\p{C}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

function outsideLine(path: string, { outside }: Surroundings): readonly string[] {
  const place = outside(path)
  return place === undefined ? [] : [`read ${place}`]
}

function fieldLines(value: unknown, filled: (field: string, text: string) => string, at = ''): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, inner]) => fieldLines(inner, filled, at === '' ? key : `${at}.${key}`))
  const field = at.slice(at.lastIndexOf('.') + 1)
  if (value === undefined || isSecretField(field)) return []
  return [`${at} ${withoutSecrets(field, filled(field, String(value)))}`]
}

/** A reference with the value of the project's `.env`, so that a change of it is seen; a secret as a hash of it. */
function fillFromFile(field: string, text: string, { fromEnvFile }: Surroundings): string {
  return text.replaceAll(REFERENCE, (whole: string, name: string, instead: string | undefined) => {
    const found = fromEnvFile(name) || instead
    if (found === undefined) return whole
    // A path is no secret, and of a whole address only the password is.
    const isShown = field === 'path' || found.includes('://') || !SECRET_VARIABLE.test(name)
    return isShown ? found : `#${sha256(found).slice(0, 12)}`
  })
}
