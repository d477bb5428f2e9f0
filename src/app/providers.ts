import { join, resolve, sep } from 'node:path'
import type { DefinedEmbedder } from '../adapters/embed/define-embedder.ts'
import type { ContextConfig, DatabaseConfig } from '../core/context-project/config.ts'
import { AppError } from '../core/errors.ts'
import type { SqlDialect } from '../core/sql/name-traits.ts'
import type { ContextProject, SourceEntry } from '../ports/context-project.ts'
import type { Harvester } from '../ports/harvester.ts'
import type { Template, Templates } from '../ports/templates.ts'
import type { Warehouse, WarehouseType } from '../ports/warehouse.ts'
import { stoppableWarehouse } from './stoppable-warehouse.ts'

/** The agents whose sessions Ken can read, in the order they are read in; each loads when a harvest begins. */
export const HARVESTERS = [
  harvester('claude-code', () => import('../adapters/harvest/claude-code/index.ts').then((file) => file.claudeCode)),
  harvester('codex', () => import('../adapters/harvest/codex/index.ts').then((file) => file.codex)),
  harvester('opencode', () => import('../adapters/harvest/opencode/index.ts').then((file) => file.opencode)),
  harvester('gemini-cli', () => import('../adapters/harvest/gemini/index.ts').then((file) => file.gemini)),
]

/** What search.embedder may name; each loads when it is opened. */
export const EMBEDDERS = [
  embedder('bundled', () => import('../adapters/embed/static/index.ts').then((file) => file.bundled)),
  embedder('onnx:<name>', () => import('../adapters/embed/onnx/index.ts').then((file) => file.onnx)),
  embedder('ollama:<model>', () => import('../adapters/embed/ollama/index.ts').then((file) => file.ollama)),
  embedder('openai:<model>', () => import('../adapters/embed/openai/index.ts').then((file) => file.openai)),
]

export interface SourceParts {
  readonly root: string
  /** A folder of this project outside of it, for clones. */
  readonly cache: string
  readonly templates: Templates
  overrides(): Promise<ReadonlyMap<string, Template>>
  /** Fills references to the environment. */
  fill<T>(value: T): T
  openWarehouse(database: DatabaseConfig): Promise<Warehouse>
  redact: ContextProject['redact']
}

/** What `ken sync` compiles from: each gives the entries that ken.yaml has for it. */
export const SOURCES: readonly ((config: ContextConfig, parts: SourceParts) => readonly SourceEntry[])[] = [
  (config, parts) =>
    config.databases.map((database) => ({
      key: `database/${database.name}`,
      name: database.name,
      open: async (signal) => {
        const { openDatabaseSource } = await import('../adapters/source/database/index.ts')
        const overrides = await parts.overrides()
        return openDatabaseSource({
          config: database,
          warehouse: stoppableWarehouse(await parts.openWarehouse(database), signal),
          templates: parts.templates,
          overrides,
          redact: parts.redact,
        })
      },
    })),
  (config, parts) =>
    config.repositories.map((repository) => ({
      key: `repository/${repository.name}`,
      name: repository.name,
      open: async () => {
        const { name, url, path, branch, include, exclude } = parts.fill(repository)
        const where = { target: `repos/${name}`, include, exclude }
        if (url === undefined)
          return (await import('../adapters/source/folder/index.ts')).openFolderSource({
            ...where,
            folder: folderBeside(parts.root, path!),
          })
        return (await import('../adapters/source/git/index.ts')).openGitSource({
          ...where,
          url,
          branch,
          clone: join(parts.cache, 'repos', name),
        })
      },
    })),
  (config, parts) =>
    config.docs.map((documents) => ({
      key: `docs/${documents.name}`,
      name: documents.name,
      open: async () => {
        const { name, url, path, include, exclude } = parts.fill(documents)
        const where = { target: `docs/${name}`, include, exclude }
        if (url === undefined)
          return (await import('../adapters/source/folder/index.ts')).openFolderSource({
            ...where,
            folder: folderBeside(parts.root, path!),
          })
        return (await import('../adapters/source/web/index.ts')).openWebSource({ ...where, url })
      },
    })),
  ({ notion }, parts) =>
    notion === undefined
      ? []
      : [
          {
            key: 'notion',
            name: 'notion',
            open: async () => (await import('../adapters/source/notion/index.ts')).openNotionSource(parts.fill(notion)),
          },
        ],
  ({ confluence }, parts) =>
    confluence === undefined
      ? []
      : [
          {
            key: 'confluence',
            name: 'confluence',
            open: async () =>
              (await import('../adapters/source/confluence/index.ts')).openConfluenceSource({
                email: undefined,
                ...parts.fill(confluence),
              }),
          },
        ],
  (config, parts) =>
    config.dbt.map((project) => ({
      key: `dbt/${project.name}`,
      name: project.name,
      open: async () =>
        (await import('../adapters/source/dbt/index.ts')).openDbtSource({
          folder: resolve(parts.root, parts.fill(project).path),
          target: `docs/dbt/${project.name}`,
        }),
    })),
]

/** Databases by the `type` that ken.yaml gives them; loaded when one is opened. */
export const WAREHOUSES: Readonly<Record<SqlDialect, () => Promise<WarehouseType<unknown>>>> = {
  duckdb: async () => erased((await import('../adapters/warehouse/duckdb/index.ts')).duckdb),
  sqlite: async () => erased((await import('../adapters/warehouse/sqlite/index.ts')).sqlite),
  postgres: async () => erased((await import('../adapters/warehouse/postgres/index.ts')).postgresql),
  mysql: async () => erased((await import('../adapters/warehouse/mysql/index.ts')).mysql),
  redshift: async () => erased((await import('../adapters/warehouse/redshift/index.ts')).redshift),
  snowflake: async () => erased((await import('../adapters/warehouse/snowflake/index.ts')).snowflake),
  bigquery: async () => erased((await import('../adapters/warehouse/bigquery/index.ts')).bigquery),
  databricks: async () => erased((await import('../adapters/warehouse/databricks/index.ts')).databricks),
  clickhouse: async () => erased((await import('../adapters/warehouse/clickhouse/index.ts')).clickhouse),
  mssql: async () => erased((await import('../adapters/warehouse/mssql/index.ts')).mssql),
  athena: async () => erased((await import('../adapters/warehouse/athena/index.ts')).athena),
  trino: async () => erased((await import('../adapters/warehouse/trino/index.ts')).trino),
}

/** A folder around the project would be copied into itself, more with every run. */
function folderBeside(root: string, path: string): string {
  const folder = resolve(root, path)
  if (`${root}${sep}`.startsWith(`${folder}${sep}`))
    throw new AppError('invalid_input', `${path} holds the context project itself.`, {
      hint: 'Name a folder beside or inside it.',
    })
  return folder
}

/** A warehouse checks its own connection before it opens it, so the type of the connection is its own affair. */
const erased = <C>(type: WarehouseType<C>): WarehouseType<unknown> => type as WarehouseType<unknown>

/** A line of HARVESTERS: its name must be the one that the harvester is defined by. */
function harvester<const C extends string>(
  client: C,
  load: () => Promise<Harvester & { readonly client: NoInfer<C> }>,
) {
  return { client, load }
}

/** A line of EMBEDDERS: its name must be the one that the embedder is defined by. */
function embedder<const N extends string>(name: N, load: () => Promise<DefinedEmbedder<NoInfer<N>>>) {
  return { name, load } as { readonly name: string; load(): Promise<DefinedEmbedder> }
}
