import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { table as tableLines } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { unframe } from '../domain/context-project/framed-file.ts'
import { linesThatName } from '../domain/context-project/lines-that-name.ts'
import type { ManifestEntry } from '../domain/context-project/manifest.ts'
import { joinsOf } from '../domain/context-project/table-joins-of.ts'
import { readTableFiles } from '../domain/sources/read-table-files.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { chooseTable } from './describe-table.ts'
import { tablesIn } from './list-tables.ts'
import { lineageOf, tableLineage } from './table-lineage.ts'

const column = z.object({
  name: z.string(),
  type: z.string(),
  nulls: z.string(),
  key: z.string(),
  values: z.string(),
  about: z.string(),
  personal: z.string().optional().describe('The kind of personal data in it.'),
  profile: z
    .object({
      nulls: z.number().optional(),
      null_percent: z.number().optional(),
      distinct: z.number().optional(),
      min: z.string(),
      max: z.string(),
      mean: z.string(),
      stddev: z.string(),
      top: z.array(z.object({ value: z.string(), count: z.number() })),
    })
    .optional(),
})

const output = {
  database: z.string(),
  table: z.string(),
  kind: z.string(),
  comment: z.string().optional(),
  rows: z.number().optional(),
  folder: z.string(),
  source: z.string(),
  checked_at: z.string().describe('When its database was last asked.'),
  profiled_at: z.string().optional(),
  profile_note: z.string().optional(),
  data_changed_at: z.string().optional(),
  through: z.object({ day: z.string(), column: z.string() }).optional(),
  stale: z.object({ since: z.string(), reason: z.string() }).optional(),
  columns: z.array(column),
  hidden: z.number().describe('Columns that ken.yaml keeps out.'),
  preview: z.object({ note: z.string(), columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).optional(),
  joins: z.array(
    z.object({
      direction: z.enum(['out', 'in']),
      table: z.string(),
      columns: z.array(z.string()),
      referenced: z.array(z.string()),
      declared: z.boolean(),
      about: z.string(),
    }),
  ),
  usage: z
    .object({
      times: z.number(),
      joins: z.array(z.object({ table: z.string(), times: z.number() })),
      queries: z.array(z.object({ times: z.number(), sql: z.string() })),
    })
    .optional()
    .describe('Facts from the query history, if the database has one.'),
  indexes: z.array(z.string()),
  examples: z.array(z.string()),
  definition: z.string().optional(),
  lineage: z.array(tableLineage),
  rules: z.array(z.object({ line: z.number(), text: z.string() })).describe('Lines of RULES.md that name it.'),
  documents: z.array(
    z.object({ name: z.string(), path: z.string(), tokens: z.number(), model: z.string().optional() }),
  ),
}

type TableFactsOutput = z.output<z.ZodObject<typeof output>>

export const tableFacts = defineOperation({
  name: 'table_facts',
  title: 'Show a table',
  summary: 'Show one table as data: columns, profile, joins, usage, lineage and rules.',
  details:
    'Reads the compiled files and the manifest, not the database. Facts that a project template omits are missing. `ken describe-table` prints the files themselves.',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  positional: ['table'],
  input: {
    table: z.string().min(1).max(400).describe('schema.table, or the table alone where that is clear.'),
    database: z.string().max(100).optional().describe('Its name in ken.yaml, where several have such a table.'),
  },
  output,
  examples: [{ title: 'A table', input: { table: 'orders' } }],
  async run(ctx, input): Promise<TableFactsOutput> {
    const project = await ctx.contextProject()
    const manifest = await project.tree.load()
    const all = tablesIn(manifest)
    const { table, path: folder, asOf } = chooseTable(all, input)
    const entry = [...manifest.values()].find((one) => one.table === table)!
    const texts = await documentsOf(project, entry)
    const read = readTableFiles((name) => texts.get(name))
    const rules = await project.files.read('RULES.md').catch(() => '')
    const fileOf = (name: string) => entry.files.find(({ path }) => path.endsWith(`/${name}.md`))
    const changed = entry.files.find((one) => one.data_changed_at !== undefined)?.data_changed_at
    const profiles = new Map(read.profile?.columns.map(({ name, ...facts }) => [name, facts]))
    const personal = new Map(table.personal?.map(({ name, kind }) => [name, kind]))
    const redacted = async (text: string): Promise<string> => (await project.redact(text)).text
    return {
      database: table.connection,
      table: `${table.schema}.${table.name}`,
      kind: table.kind,
      ...(table.comment !== undefined && { comment: await redacted(table.comment) }),
      ...(table.rows !== undefined && { rows: table.rows }),
      folder,
      source: entry.source,
      checked_at: asOf,
      ...(read.profile !== undefined && {
        profiled_at: fileOf('profiling')!.fetched_at,
        profile_note: read.profile.note,
      }),
      ...(changed !== undefined && { data_changed_at: changed }),
      ...(read.through !== undefined && { through: read.through }),
      ...(entry.stale !== undefined && {
        stale: { since: entry.stale.since, reason: await redacted(entry.stale.reason) },
      }),
      columns: (read.columns.length > 0 ? read.columns : await fromManifest(table.columns, redacted)).map((one) => {
        const [profile, kind] = [profiles.get(one.name), personal.get(one.name)]
        return {
          ...one,
          ...(kind !== undefined && { personal: kind }),
          ...(profile !== undefined && { profile: { ...profile, top: [...profile.top] } }),
        }
      }),
      hidden: table.hidden.length,
      ...(read.preview !== undefined && {
        preview: {
          note: read.preview.note,
          columns: [...read.preview.columns],
          rows: read.preview.rows.map((row) => [...row]),
        },
      }),
      joins: joinsOf(
        table,
        all.map((one) => one.table),
      ).map((join) => ({ ...join, columns: [...join.columns], referenced: [...join.referenced] })),
      ...(read.usage !== undefined && {
        usage: { ...read.usage, joins: [...read.usage.joins], queries: [...read.usage.queries] },
      }),
      indexes: [...read.indexes],
      examples: [...read.examples],
      ...(read.definition !== undefined && { definition: read.definition }),
      lineage: await lineageOf(ctx, { project, manifest, table }),
      rules: [...linesThatName(rules, table)],
      documents: entry.files.map(({ path, tokens, model }) => ({
        name: path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, ''),
        path,
        tokens,
        ...(model !== undefined && { model: model.id }),
      })),
    }
  },
  render: renderFacts,
})

async function documentsOf(project: ContextProject, { files }: ManifestEntry): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    files.map(async ({ path }): Promise<readonly [string, string] | undefined> => {
      // A deleted file is skipped, and the rest can still be read.
      const text = await project.files.read(path).catch(() => undefined)
      return text === undefined ? undefined : [path.slice(path.lastIndexOf('/') + 1, -3), unframe(text) ?? text]
    }),
  )
  return new Map(texts.filter((one) => one !== undefined))
}

/** Columns from the manifest, if the columns file uses another template or is not wanted. */
const fromManifest = (
  columns: readonly { readonly name: string; readonly type: string; readonly comment?: string | undefined }[],
  redacted: (text: string) => Promise<string>,
) =>
  Promise.all(
    columns.map(async ({ name, type, comment }) => ({
      name,
      type,
      nulls: '',
      key: '',
      values: '',
      about: comment === undefined ? '' : await redacted(comment),
    })),
  )

function renderFacts(facts: TableFactsOutput, _input: unknown, view = PLAIN): string {
  const rows = facts.columns.map(({ name, type, key, values, about }) => [name, type, key, values, about])
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
  return [
    `${facts.database} ${facts.table}${facts.rows === undefined ? '' : `, ${plural(facts.rows, 'row')}`}${facts.through === undefined ? '' : `, data through ${facts.through.day}`}`,
    ...(facts.comment === undefined ? [] : [facts.comment]),
    '',
    ...tableLines(rows, [{ tone: 'title' }, { tone: 'dim' }, {}, { shrinks: true }, { shrinks: true }], view),
    ...list(
      'Joins',
      facts.joins.map(
        ({ direction, table, columns, referenced, about }) =>
          `${columns.join(', ')} ${direction === 'out' ? '→' : '←'} ${table} (${referenced.join(', ')}), ${about}`,
      ),
    ),
    ...list(
      'Lineage',
      facts.lineage.map(({ made_from: from, used_by: by, path }) =>
        [from.length > 0 && `made from ${from.join(', ')}`, by.length > 0 && `used by ${by.join(', ')}`, path]
          .filter(Boolean)
          .join('; '),
      ),
    ),
    ...list(
      'Rules that name it',
      facts.rules.map(({ text }) => text),
    ),
  ].join('\n')
}
