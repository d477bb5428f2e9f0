import type { z } from 'zod'
import { didYouMean } from '../../../kernel/domain/close-match.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { connectionOf, databaseFields, type ConfigEntry, type DatabaseConfig } from './config.ts'
import { configFault } from './read-config.ts'
import { hasReference, withoutSecrets } from './secret-fields.ts'
import { fieldsOf, type ContextRules, type WarehouseRules } from './source-rules.ts'

/**
 * Returns the fault of an entry that does not depend on the environment: an unknown type or field, a missing one, an
 * invalid value. Undefined if it depends on a variable's value. Opens and looks up nothing.
 */
export function entryFault({ list, value }: ConfigEntry, { warehouses }: ContextRules): AppError | undefined {
  // The fields of the other sources were checked when ken.yaml was read.
  if (list !== 'databases') return undefined
  const database = value as DatabaseConfig
  const definition = warehouses.find(({ type }) => type === database.type)
  if (definition === undefined) return unknownType(database, warehouses)
  const connection = connectionOf(database)
  const issue = issuesOf(definition.connection, connection).find(({ path }) => !hasReference(valueAt(connection, path)))
  return issue && connectionFault(issue, database, definition)
}

export function unknownType({ name, type }: DatabaseConfig, warehouses: readonly WarehouseRules[]): AppError {
  return new AppError('invalid_input', `databases "${name}": no type named "${withoutSecrets('type', type)}".`, {
    hint: didYouMean(
      type,
      warehouses.map((one) => one.type),
    ),
  })
}

/** Describes a fault; quotes ken.yaml itself, never the value of a reference. */
export function connectionFault(
  issue: z.core.$ZodIssue,
  database: DatabaseConfig,
  { connection }: WarehouseRules,
): AppError {
  const placed = {
    ...issue,
    input: valueAt(database, issue.path),
    path: ['databases', 0, ...issue.path],
  } as z.core.$ZodIssue
  return configFault(placed, { databases: [database] }, [...Object.keys(databaseFields), ...fieldsOf(connection)])
}

/** Returns the issues; none if a rule throws because it expects a reference's value. */
function issuesOf(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  try {
    const issues = schema.safeParse(value).error?.issues ?? []
    return issues.toSorted((a, b) => Number(b.code === 'unrecognized_keys') - Number(a.code === 'unrecognized_keys'))
  } catch {
    return []
  }
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
