import { z } from 'zod'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { databaseFields } from '../domain/context-project/config.ts'
import { entryKinds, type EntryKind } from '../domain/context-project/propose-entry.ts'
import { isSecretField } from '../domain/context-project/secret-fields.ts'

const field = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'list', 'choice', 'other']),
  required: z.boolean(),
  secret: z.boolean().describe('Goes into .env; ken.yaml gets the name of a variable.'),
  about: z.string(),
  choices: z.array(z.string()).optional(),
})

const kind = z.object({
  word: z.string().describe('Its name in `ken source add`.'),
  label: z.string(),
  kind: z.string(),
  fields: z.array(field),
})

export const sourceKinds = defineOperation({
  name: 'source_kinds',
  title: 'List kinds of sources',
  summary: 'List the kinds of sources with their fields.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  anywhere: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['kind'],
  input: { kind: z.string().max(60).optional().describe('Only this one.') },
  output: { kinds: z.array(kind) },
  examples: [
    { title: 'All', input: {} },
    { title: 'One', input: { kind: 'postgres' } },
  ],
  async run(ctx, input) {
    const kinds = entryKinds(await ctx.contextDefinitions()).map(kindOf)
    return { kinds: input.kind === undefined ? kinds : kinds.filter(({ word }) => word === input.kind) }
  },
  render(output, _input, view = PLAIN) {
    if (output.kinds.length === 0) return 'There is no such kind. `ken source kinds` lists them.'
    const rows = output.kinds.map(({ word, label, fields }) => [
      word,
      label === word ? '' : label,
      fields
        .filter((one) => !COMMON.has(one.name))
        .map(({ name, required }) => (required ? `${name}=…` : `[${name}]`))
        .join(' '),
    ])
    return table(rows, [{ tone: 'title' }, { tone: 'dim' }, { shrinks: true }], view).join('\n')
  },
})

/** Fields of every database that are not needed to add one. */
const COMMON: ReadonlySet<string> = new Set(['documents', 'profiling', 'personal', 'freshness'])

interface JsonField {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly anyOf?: readonly JsonField[]
}

function kindOf(one: EntryKind): z.output<typeof kind> {
  const own = schemaOf(one.schema)
  const common = one.kind === 'database' ? schemaOf(z.looseObject(databaseFields)) : { properties: {}, required: [] }
  const properties = { ...common.properties, ...own.properties }
  const required = new Set([...own.required, ...common.required])
  return {
    word: one.word,
    label: one.label,
    kind: one.kind,
    fields: one.fields
      .filter((name) => !COMMON.has(name))
      .map((name) => {
        const property = properties[name] ?? {}
        const choices = property.enum?.map(String)
        return {
          name,
          type: typeOf(property),
          // A missing name is derived from the source.
          required: required.has(name) && name !== 'name',
          secret: isSecretField(name, one.secrets),
          about: property.description ?? '',
          ...(choices !== undefined && { choices }),
        }
      }),
  }
}

function schemaOf(schema: z.ZodType): {
  readonly properties: Readonly<Record<string, JsonField>>
  readonly required: readonly string[]
} {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { properties: properties as Readonly<Record<string, JsonField>>, required }
}

function typeOf({ type, enum: choices, anyOf }: JsonField): z.output<typeof field>['type'] {
  if (choices !== undefined) return 'choice'
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array') return 'list'
  const first = anyOf?.map(typeOf).find((one) => one !== 'other')
  return first ?? 'other'
}
