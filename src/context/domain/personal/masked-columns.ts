import type { CompiledTable } from '../context-project/manifest.ts'
import { maskedInResults, personalChoice, type PersonalConfig } from './policy.ts'

/**
 * Columns of a table that agents get masked, as ken.yaml has it now: personal ones, and those of a view that may carry
 * such a column of a table below it under another name. Of a view that could not be followed that is every column.
 */
export function maskedColumns(
  table: CompiledTable,
  all: readonly CompiledTable[],
  config: PersonalConfig,
): readonly string[] {
  return typeof config === 'string' || config.results === 'show' ? [] : masked(table, { all, config, above: [] })
}

interface Policy {
  readonly all: readonly CompiledTable[]
  readonly config: PersonalConfig
  /** Views that led here. */
  readonly above: readonly CompiledTable[]
}

function masked(table: CompiledTable, { all, config, above }: Policy): readonly string[] {
  const columns = table.columns.map(({ name }) => name)
  const own = maskedInResults(config, table, { columns, personal: (table.personal ?? []).map(({ name }) => name) })
  if (!/view/.test(table.kind) || above.includes(table)) return own
  const { reads } = table
  const below = new Set(
    all
      .filter((one) => one.connection === table.connection && reads?.includes(fold(one.name)))
      .flatMap((one) => masked(one, { all, config, above: [...above, table] }))
      .map(fold),
  )
  const isCarried = ({ carries }: CompiledTable['columns'][number]): boolean =>
    carries === undefined ? below.size > 0 : carries.some((name) => below.has(name))
  const carried = table.columns
    .filter((column) => reads === undefined || isCarried(column))
    .map(({ name }) => name)
    .filter((name) => personalChoice(config, table, name) !== 'show')
  return [...new Set([...own, ...carried])]
}

const fold = (name: string): string => name.toLowerCase()
