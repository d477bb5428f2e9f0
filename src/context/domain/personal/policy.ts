import { z } from 'zod'
import { fitsName } from '../context-project/name-glob.ts'
import { globs } from '../context-project/source-rules.ts'

/** Rules for personal data, by column and audience. */
export const personalRules = z.strictObject({
  default: z.enum(['mask', 'show']).default('mask').describe('For columns that no list names.'),
  show: globs.describe('schema.table.column globs that are shown unmasked.'),
  mask: globs.describe('schema.table.column globs that are masked, whatever they hold; they win.'),
  refuse: globs.describe('schema.table.column globs that agents and stories may not read, not even to filter.'),
  results: z
    .enum(['show', 'mask'])
    .default('show')
    .describe('Whether agents and stories see such columns in results; a person with `ken sql` always does.'),
})
const policy = z.union([z.enum(['mask', 'show']), personalRules])

/** Options of ken.yaml for personal data of databases that set none themselves. */
export const projectPersonalField = policy
  .optional()
  .describe('Personal data in databases without their own `personal`.')

/** ken.yaml options for personal data of one database. */
export const personalField = policy
  .default('mask')
  .describe(
    'Personal data in the files: mask or show; or default, show, mask and refuse with schema.table.column globs, and results.',
  )

export type PersonalConfig = z.output<typeof personalField>

/** Treatment of a column: masked, shown, or decided by its name and values. */
export function personalChoice(
  config: PersonalConfig,
  table: { readonly schema: string; readonly name: string },
  column: string,
): 'mask' | 'show' | 'judge' {
  const {
    default: otherwise,
    show,
    mask,
    refuse,
  } = typeof config === 'string' ? { default: config, show: [], mask: [], refuse: [] } : config
  const name = `${table.schema}.${table.name}.${column}`
  if ([...mask, ...refuse].some((pattern) => fitsName(name, pattern))) return 'mask'
  if (show.some((pattern) => fitsName(name, pattern))) return 'show'
  return otherwise === 'mask' ? 'judge' : 'show'
}

export const isMaskedInResults = (config: PersonalConfig): boolean =>
  typeof config !== 'string' && config.results === 'mask'

/** Columns that are masked in results for agents: the columns masked in files, if ken.yaml sets it. */
export function maskedInResults(
  config: PersonalConfig,
  table: { readonly schema: string; readonly name: string },
  { columns, personal }: { readonly columns: readonly string[]; readonly personal: readonly string[] },
): readonly string[] {
  if (!isMaskedInResults(config)) return []
  return columns.filter((column) => {
    const choice = personalChoice(config, table, column)
    return choice === 'mask' || (choice === 'judge' && personal.includes(column))
  })
}

/** Columns that agents may not read. */
export const refusedToAgents = (
  config: PersonalConfig,
  table: { readonly schema: string; readonly name: string },
  columns: readonly string[],
): readonly string[] =>
  typeof config === 'string'
    ? []
    : columns.filter((column) =>
        config.refuse.some((pattern) => fitsName(`${table.schema}.${table.name}.${column}`, pattern)),
      )

/** Whether texts outside columns are masked: comments, statements, definitions. */
export const masksTexts = (config: PersonalConfig): boolean =>
  (typeof config === 'string' ? config : config.default) === 'mask'
