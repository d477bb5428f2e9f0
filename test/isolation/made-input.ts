import { z } from 'zod'
import type { Operation } from '../../src/operations/operation.ts'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxLength?: number
}

export interface Wording {
  chance(): number
  /** A text for a field; `path` ends with its name. */
  text(path: string): string
  /** Probability that an optional field is given. */
  readonly fullness: number
}

/** An input valid for the schema of any operation. */
export function madeInput(operation: Operation, wording: Wording): Record<string, unknown> {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema
  return made(schema, '', wording) as Record<string, unknown>
}

function made(schema: Schema, path: string, wording: Wording): unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(wording.chance() * from.length)]!
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return made(pick(choices), path, wording)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(schema.enum)
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const least = Math.max(schema.minimum ?? 1, 0)
      return Math.min(schema.maximum ?? 1_000, least + Math.floor(wording.chance() * 5))
    }
    case 'boolean':
      return wording.chance() < 0.3
    case 'array': {
      const length = Math.max(schema.minItems ?? 0, Math.floor(wording.chance() * 3))
      return Array.from({ length }, () => made(schema.items ?? {}, path, wording))
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) === true || wording.chance() < wording.fullness)
          .map(([name, value]) => [name, made(value, `${path}.${name}`, wording)]),
      )
    case 'null':
      return null
    default:
      return wording.text(path).slice(0, schema.maxLength ?? 2_000)
  }
}
