import type { DatabaseConfig } from './config.ts'
import { fitsName } from './name-glob.ts'

type Excluding = Pick<DatabaseConfig, 'exclude'>

/** The column patterns of ken.yaml that concern one table: the last part of `schema.table.column`. */
export const hiddenPatterns = (
  table: { readonly schema: string; readonly name: string },
  { exclude }: Excluding,
): readonly string[] =>
  exclude
    .filter(
      (pattern) =>
        pattern.split('.').length === 3 &&
        fitsName(`${table.schema}.${table.name}`, pattern.slice(0, pattern.lastIndexOf('.'))),
    )
    .map((pattern) => pattern.slice(pattern.lastIndexOf('.') + 1))

export function hiddenAmong(
  names: readonly string[],
  table: { readonly schema: string; readonly name: string },
  config: Excluding,
): readonly string[] {
  const patterns = hiddenPatterns(table, config)
  return names.filter((name) => patterns.some((pattern) => fitsName(name, pattern)))
}
