import type { CompiledTable } from '../context-project/manifest.ts'
import { isMaskedInResults, maskedInResults, personalChoice, refusedToAgents, type PersonalConfig } from './policy.ts'

/**
 * Columns of a table that are masked for agents by the current ken.yaml: personal ones, and columns of a view that may
 * show such a column of its tables under another name. For a view with an unreadable definition that is every column.
 */
export const maskedColumns = (
  table: CompiledTable,
  all: readonly CompiledTable[],
  config: PersonalConfig,
): readonly string[] =>
  isMaskedInResults(config)
    ? reaching(table, {
        all,
        config,
        own: (one) =>
          maskedInResults(config, one, {
            columns: one.columns.map(({ name }) => name),
            personal: (one.personal ?? []).map(({ name }) => name),
          }),
      })
    : []

/** Columns of a table that agents may not read, directly or through a view. */
export const refusedColumns = (
  table: CompiledTable,
  all: readonly CompiledTable[],
  config: PersonalConfig,
): readonly string[] =>
  typeof config === 'string' || config.refuse.length === 0
    ? []
    : reaching(table, {
        all,
        config,
        own: (one) =>
          refusedToAgents(
            config,
            one,
            one.columns.map(({ name }) => name),
          ),
      })

interface Reach {
  readonly all: readonly CompiledTable[]
  readonly config: PersonalConfig
  own(table: CompiledTable): readonly string[]
}

/** The columns of the table, and those of a view that may show such columns of its tables. */
function reaching(table: CompiledTable, reach: Reach, above: readonly CompiledTable[] = []): readonly string[] {
  const { all, config } = reach
  const own = reach.own(table)
  if (!/view/.test(table.kind) || above.includes(table)) return own
  const { reads } = table
  const below = new Set(
    all
      .filter((one) => one.connection === table.connection && reads?.includes(fold(one.name)))
      .flatMap((one) => reaching(one, reach, [...above, table]))
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
