/** A value as JSON for PostgreSQL, which accepts neither the character 0 nor half of a surrogate pair. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, own: unknown) => (typeof own === 'string' ? own.replaceAll('\0', ' ').toWellFormed() : own))

/** Expression for a typed list passed as JSON; one array for the planner, not a table. */
export const listOf = (parameter: number, type: 'text' | 'bigint'): string =>
  `ARRAY(SELECT one::${type} FROM jsonb_array_elements_text($${parameter}::text::jsonb) AS one)`

/** Numbers as a PostgreSQL array literal: `$1::text::bigint[]`. */
export const listOfNumbers = (numbers: readonly number[]): string => `{${numbers.join(',')}}`
