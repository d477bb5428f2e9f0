import { parseDocument } from 'yaml'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { asWanted, type EntryKind } from './propose-entry.ts'
import { isSecretField, plainSecrets, variableFor } from './secret-fields.ts'

type Values = Readonly<Record<string, unknown>>

export interface DbtConnection {
  readonly target: string
  /** dbt's name of the database. */
  readonly type: string
  /** Undefined for a database that Ken cannot read. */
  readonly kind: EntryKind | undefined
  /** Fields of an entry. A plain secret of the profile becomes an unset variable. */
  readonly fields: Values
}

/** The profile of a dbt project, from its dbt_project.yml. */
export function dbtProfileName(project: string): string | undefined {
  const { profile, name } = mapOf(readYaml(project))
  return [profile, name].find((one): one is string => typeof one === 'string' && one !== '')
}

/** The connection of a profile's default target; undefined if the file has no such profile. */
export function dbtConnection(
  profiles: string,
  profile: string,
  { kinds, name }: { readonly kinds: readonly EntryKind[]; readonly name: string },
): DbtConnection | undefined {
  const { target: chosen, outputs } = mapOf(mapOf(readYaml(profiles))[profile])
  const targets = mapOf(outputs)
  const target = typeof chosen === 'string' && chosen in targets ? chosen : Object.keys(targets)[0]
  const output = mapOf(target === undefined ? undefined : targets[target])
  const type = output['type']
  if (target === undefined || typeof type !== 'string') return undefined
  const kind = kinds.find((one) => one.kind === 'database' && one.word === (OTHER_TYPES[type] ?? type))
  return { target, type, kind, fields: kind === undefined ? {} : fieldsFor(output, kind, name) }
}

/** Field names that differ between dbt and Ken; the first one that the database has is used. */
const OTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  pass: ['password'],
  dbname: ['database'],
  database: ['database', 'catalog'],
  username: ['user'],
  server: ['host'],
  keyfile: ['credentials_path'],
  dataset: ['dataset'],
  schema: ['schema', 'dataset', 'database'],
  region_name: ['region'],
  aws_profile_name: ['profile'],
  work_group: ['workgroup'],
  s3_staging_dir: ['output_location'],
  trust_cert: ['trust_server_certificate'],
}
const OTHER_TYPES: Readonly<Record<string, string>> = { sqlserver: 'mssql', mariadb: 'mysql' }
/** Fields with another meaning in dbt. */
const DBT_OWN: ReadonlySet<string> = new Set(['name', 'type', 'include', 'exclude', 'documents', 'profiling'])

function fieldsFor(output: Values, kind: EntryKind, name: string): Values {
  const found: Record<string, unknown> = {}
  for (const [given, value] of Object.entries(output)) {
    const field = (OTHER_FIELDS[given] ?? [given]).find((one) => kind.fields.includes(one) && found[one] === undefined)
    if (field === undefined || DBT_OWN.has(field)) continue
    const read = fromJinja(value, isSecretField(field, kind.secrets))
    if (read === undefined || (typeof read !== 'string' && typeof read !== 'number' && typeof read !== 'boolean'))
      continue
    const isPlain = plainSecrets({ [field]: read }, kind.secrets).length > 0
    found[field] = isPlain ? `\${${variableFor(name, field)}}` : asWanted(kind, field, String(read))
  }
  return found
}

const ENV_VAR = /\{\{\s*env_var\(\s*['"](\w+)['"]\s*(?:,\s*['"]([^'"}]*)['"]\s*)?\)\s*(?:\|\s*\w+\s*)*\}\}/g

/** Converts `{{ env_var('X', 'd') }}` to `${X:-d}`; other Jinja is omitted. */
function fromJinja(value: unknown, isSecret: boolean): unknown {
  if (typeof value !== 'string') return value
  const read = value.replaceAll(ENV_VAR, (_whole, name: string, instead: string | undefined) =>
    instead === undefined || isSecret ? `\${${name}}` : `\${${name}:-${instead}}`,
  )
  return read.includes('{{') || read.includes('{%') ? undefined : read
}

/** Parses YAML within limits, as a profile may come with a clone. Undefined if it is unreadable. */
function readYaml(text: string): unknown {
  if (text.length > LARGEST || yamlExcess(text, CONFIG_BOUNDS) !== undefined) return undefined
  try {
    const document = parseDocument(text, { prettyErrors: false })
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 })
  } catch {
    return undefined
  }
}

const LARGEST = 64 * 1024

const mapOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}
