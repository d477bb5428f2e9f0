import { z } from 'zod'
import { isPlainObject } from '../kernel/domain/input/read-value.ts'
import { spellDeep } from '../kernel/domain/named-operation.ts'
import { HELP_KEY, type Operation } from './operation.ts'
import { FOR_PROGRAMS } from './spelling.ts'

type Schema = Record<string, unknown>

/** A tool's input schema as offered to a model. `alone`: the caller serves one folder, which determines the project. */
export function listedSchema({ input, unlisted }: Operation, { alone }: { alone: boolean }): Schema {
  const schema = made.get(input) ?? compact(z.toJSONSchema(input, { io: 'input' }) as Schema)
  made.set(input, schema)
  const listed = Object.entries(schema['properties'] as Schema).filter(
    ([name]) => !unlisted.includes(name) && !(alone && name === 'project_id'),
  )
  return spellDeep({ ...schema, properties: Object.fromEntries(listed) }, FOR_PROGRAMS)
}

// Cached: the analyst lists its tools for every question.
const made = new WeakMap<object, Schema>()

// Omitted because every agent pays for the tool list in every session; `call` checks and reports bounds and fills in
// defaults.
const SPARED = new Set([
  '$schema',
  'additionalProperties',
  'default',
  HELP_KEY,
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
])

/** A number that may also be given as a name is offered as a number: not every client supports a union of types. */
function asNumber({ anyOf, ...rest }: Schema): Schema {
  const number = (anyOf as Schema[] | undefined)?.find(({ type }) => type === 'integer')
  return number === undefined ? { ...rest, ...(anyOf !== undefined && { anyOf }) } : { ...number, ...rest }
}

function compact(schema: Schema): Schema {
  const kept = Object.entries(asNumber(schema)).filter(([key]) => !SPARED.has(key))
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'properties' ? each(value as Record<string, Schema>) : isPlainObject(value) ? compact(value) : value,
    ]),
  )
}

/** Aliases of a field are accepted but not offered. */
const each = (properties: Record<string, Schema>): Schema =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      property['deprecated'] === true ? [] : [[name, compact(property)]],
    ),
  )
