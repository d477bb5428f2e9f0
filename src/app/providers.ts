import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContextConfig, DatabaseConfig } from '../core/context-project/config.ts'
import { CATALOGUE, findModel } from '../core/embedding/catalogue.ts'
import type { EmbedderKind } from '../core/embedding/embedder-choice.ts'
import { AppError } from '../core/errors.ts'
import type { SqlDialect } from '../core/sql/name-traits.ts'
import type { ContextProject, SourceEntry } from '../ports/context-project.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Template, Templates } from '../ports/templates.ts'
import type { Warehouse, WarehouseType } from '../ports/warehouse.ts'
import { stoppableWarehouse } from './stoppable-warehouse.ts'

const BUNDLED_MODEL = fileURLToPath(new URL('../../models/static-256/model.bin', import.meta.url))

/** The model that comes with Ken; undefined where a package was made without it. */
export async function openBundledEmbedder(): Promise<Embedder | undefined> {
  if (!existsSync(BUNDLED_MODEL)) return undefined
  const { openStaticEmbedder } = await import('../adapters/embed/static/index.ts')
  return openStaticEmbedder(BUNDLED_MODEL)
}

export interface EmbedderParts {
  readonly model: string
  /** Where it runs, when that is not where it usually does. */
  readonly url: string | undefined
  readonly key: string | undefined
  /** Where pulled models are. */
  readonly modelsFolder: string
  /** Comes when Ken ends. */
  readonly signal: AbortSignal
}

/** Embedders by what search.embedder begins with; loaded when one is opened. */
export const EMBEDDERS: Readonly<Record<EmbedderKind, (parts: EmbedderParts) => Promise<Embedder | undefined>>> = {
  bundled: openBundledEmbedder,
  async onnx({ model: name, modelsFolder }) {
    const model = findModel(name)
    if (model === undefined)
      throw new AppError('invalid_input', `search.embedder names the model "${name}", which Ken does not know`, {
        hint: `There are ${CATALOGUE.map((one) => `onnx:${one.name}`).join(' and ')}.`,
      })
    return (await import('../adapters/embed/onnx/index.ts')).openOnnxEmbedder({
      folder: join(modelsFolder, name),
      model,
    })
  },
  async ollama(parts) {
    const [{ openOllamaEmbedder }, { secretRedactor }] = await Promise.all([
      import('../adapters/embed/ollama/index.ts'),
      import('../core/secrets/redact.ts'),
    ])
    return openOllamaEmbedder({ ...parts, url: parts.url ?? 'http://127.0.0.1:11434', redactor: secretRedactor })
  },
  async openai(parts) {
    const [{ openOpenAiEmbedder }, { secretRedactor }] = await Promise.all([
      import('../adapters/embed/openai/index.ts'),
      import('../core/secrets/redact.ts'),
    ])
    return openOpenAiEmbedder({ ...parts, url: parts.url ?? 'https://api.openai.com/v1', redactor: secretRedactor })
  },
}

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
