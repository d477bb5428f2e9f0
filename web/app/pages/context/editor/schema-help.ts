/** The subset of JSON Schema that describes ken.yaml. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly { readonly if?: JsonSchema; readonly then?: JsonSchema }[]
}

interface SchemaChoice {
  readonly label: string
  readonly detail: string
  readonly apply: string
}

/** Completions at a place in ken.yaml: unused fields, or the values of one. */
export function schemaChoices(
  text: string,
  at: number,
  schema: JsonSchema,
): { readonly from: number; readonly choices: readonly SchemaChoice[] } | undefined {
  const start = startOfLine(text, at)
  const line = text.slice(start, at)
  if (/^\s*#/.test(line)) return undefined
  const [, value = ''] = /^[\s-]*[\w-]+:\s+([\w.-]*)$/.exec(line) ?? []
  const key = /^([\s-]*)([\w-]*)$/.exec(line)
  const place = placeAt(text, start)
  if (key === null) {
    const field = /^[\s-]*([\w-]+):/.exec(line)?.[1]
    const inner = field === undefined ? undefined : fieldsAt(schema, place)[field]
    const choices = valuesOf(inner).map((one) => ({ label: one, detail: '', apply: one }))
    return field === undefined || choices.length === 0 ? undefined : { from: at - value.length, choices }
  }
  const fields = Object.entries(fieldsAt(schema, place)).filter(([name]) => !place.siblings.includes(name))
  const choices = fields.map(([name, inner]) => ({
    label: name,
    detail: firstSentence(inner),
    apply: applied(name, inner),
  }))
  return { from: at - key[2]!.length, choices }
}

/** Description of the field at a place, from the schema. */
export function schemaHelp(text: string, at: number, schema: JsonSchema): string | undefined {
  const start = startOfLine(text, at)
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end < 0 ? undefined : end)
  const found = /^([\s-]*)([\w-]+):/.exec(line)
  if (found === null || at - start > found[0].length) return undefined
  const inner = fieldsAt(schema, placeAt(text, start))[found[2]!]
  if (inner === undefined) return undefined
  const values = valuesOf(inner)
  const fields = Object.keys(plain(inner)?.properties ?? {})
  return [
    inner.description ??
      (fields.length > 0 ? `Fields: ${fields.join(', ')}.` : values.length > 0 ? '' : (inner.type ?? '')),
    values.length > 0 ? `One of ${values.join(', ')}.` : '',
    inner.default === undefined || typeof inner.default === 'object' ? '' : `${String(inner.default)} by default.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Start of the line; 0 is a special case, because `lastIndexOf` with a negative position would search from index 0. */
const startOfLine = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

interface Place {
  /** Names of the enclosing fields, without lists. */
  readonly path: readonly string[]
  /** Other fields of the same map. */
  readonly siblings: readonly string[]
  /** One-line values of those fields. */
  readonly values: Readonly<Record<string, string>>
}

interface Line {
  readonly indent: number
  readonly name: string
  readonly value: string
  readonly isItem: boolean
}

/** Parsed from indentation alone: an unfinished text is seldom valid YAML. */
function placeAt(text: string, start: number): Place {
  const before = text.slice(0, start).split('\n').slice(0, -1).map(lineOf)
  const end = text.indexOf('\n', start)
  const own = lineOf(text.slice(start, end < 0 ? undefined : end)) ?? {
    indent: indentOf(text, start, end),
    name: '',
    value: '',
    isItem: false,
  }
  const path: string[] = []
  let indent = own.indent
  for (const line of before.toReversed()) {
    if (line === undefined || line.indent >= indent || line.value !== '') continue
    path.unshift(line.name)
    indent = line.indent
  }
  const siblings = beside(text, start, own)
  return {
    path,
    siblings: siblings.map(({ name }) => name),
    values: Object.fromEntries(siblings.map(({ name, value }) => [name, value])),
  }
}

const indentOf = (text: string, start: number, end: number): number =>
  /^[\s-]*/.exec(text.slice(start, end < 0 ? undefined : end))![0].length

function lineOf(line: string): Line | undefined {
  const found = /^([ ]*)((?:- +)*)([\w-]+):(?:\s+(.*))?$/.exec(line)
  if (found === null || line.trimStart().startsWith('#')) return undefined
  const [, spaces = '', dashes = '', name = '', value = ''] = found
  return {
    indent: spaces.length + dashes.length,
    name,
    value: value.replace(/\s*#.*$/, '').trim(),
    isItem: dashes !== '',
  }
}

/** Lines of the same map: those of the same depth, with no shallower line and no new list item between them. */
function beside(text: string, start: number, own: Line): readonly Line[] {
  const lines = text.split('\n')
  const at = text.slice(0, start).split('\n').length - 1
  const found: Line[] = []
  const take = (line: Line | undefined): boolean => {
    if (line === undefined) return true
    if (line.indent < own.indent) return false
    if (line.indent === own.indent) found.push(line)
    return true
  }
  for (let i = at - 1; !lines[i + 1]?.match(/^\s*- /) && i >= 0; i--) if (!take(lineOf(lines[i]!))) break
  for (let i = at + 1; i < lines.length; i++) {
    const line = lineOf(lines[i]!)
    if ((line?.isItem && line.indent <= own.indent) || !take(line)) break
  }
  return found
}

function fieldsAt(schema: JsonSchema, place: Place): Readonly<Record<string, JsonSchema>> {
  const at = place.path.reduce<JsonSchema | undefined>((inner, name) => plain(inner)?.properties?.[name], schema)
  const found = plain(at)
  const chosen = (found?.allOf ?? [])
    .filter(({ if: when }) => fits(when, place.values))
    .map(({ then }) => then?.properties ?? {})
  return Object.assign({}, found?.properties ?? {}, ...chosen) as Readonly<Record<string, JsonSchema>>
}

/** The item schema of a list, or the first alternative with fields. */
function plain(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined || schema.properties !== undefined) return schema
  if (schema.items !== undefined) return plain(schema.items)
  return schema.anyOf?.map(plain).find((one) => one?.properties !== undefined) ?? schema
}

const fits = (when: JsonSchema | undefined, values: Readonly<Record<string, string>>): boolean =>
  Object.entries(when?.properties ?? {}).every(([name, { const: wanted }]) => wanted === values[name])

const valuesOf = (schema: JsonSchema | undefined): readonly string[] => [
  ...(schema?.enum ?? []).map(String),
  ...(schema?.type === 'boolean' ? ['true', 'false'] : []),
  ...(schema?.anyOf ?? []).flatMap(valuesOf),
  ...(typeof schema?.const === 'string' ? [schema.const] : []),
]

const firstSentence = ({ description = '', type = '' }: JsonSchema): string => description || type

/** A field with nested fields or a list continues on the next line. */
function applied(name: string, schema: JsonSchema): string {
  const inner = plain(schema)
  return inner?.properties === undefined ? `${name}: ` : `${name}:\n`
}
