import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CATALOGUE, findModel } from '../core/embedding/catalogue.ts'
import type { EmbedderKind } from '../core/embedding/embedder-choice.ts'
import { AppError } from '../core/errors.ts'
import type { ContextDefinitions } from '../ports/context-project.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { SourceDefinition } from '../ports/source.ts'
import type { WarehouseDefinition } from '../ports/warehouse.ts'

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

/** What `ken sync` compiles from, beside databases. Loaded with the first context project. */
export const SOURCES: readonly (() => Promise<SourceDefinition>)[] = [
  async () => (await import('../adapters/source/git/index.ts')).repositories,
  async () => (await import('../adapters/source/web/index.ts')).docs,
  async () => (await import('../adapters/source/notion/index.ts')).notion,
  async () => (await import('../adapters/source/confluence/index.ts')).confluence,
  async () => (await import('../adapters/source/dbt/index.ts')).dbt,
]

/** The databases there are. Loaded with the first context project; a driver when a database is opened. */
export const WAREHOUSES: readonly (() => Promise<WarehouseDefinition>)[] = [
  async () => (await import('../adapters/warehouse/duckdb/index.ts')).duckdb,
  async () => (await import('../adapters/warehouse/sqlite/index.ts')).sqlite,
  async () => (await import('../adapters/warehouse/postgres/index.ts')).postgresql,
  async () => (await import('../adapters/warehouse/mysql/index.ts')).mysql,
  async () => (await import('../adapters/warehouse/redshift/index.ts')).redshift,
  async () => (await import('../adapters/warehouse/snowflake/index.ts')).snowflake,
  async () => (await import('../adapters/warehouse/bigquery/index.ts')).bigquery,
  async () => (await import('../adapters/warehouse/databricks/index.ts')).databricks,
  async () => (await import('../adapters/warehouse/clickhouse/index.ts')).clickhouse,
  async () => (await import('../adapters/warehouse/mssql/index.ts')).mssql,
  async () => (await import('../adapters/warehouse/athena/index.ts')).athena,
  async () => (await import('../adapters/warehouse/trino/index.ts')).trino,
]

export async function contextDefinitions(): Promise<ContextDefinitions> {
  const [sources, warehouses] = await Promise.all([
    Promise.all(SOURCES.map((load) => load())),
    Promise.all(WAREHOUSES.map((load) => load())),
  ])
  return { sources, warehouses }
}
