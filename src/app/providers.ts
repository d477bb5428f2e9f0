import type { ContextDefinitions } from '../context/ports/context-project.ts'
import type { SourceDefinition } from '../context/ports/source.ts'
import type { WarehouseDefinition } from '../context/ports/warehouse.ts'
import type { Harvester } from '../memory/ports/harvester.ts'
import type { DefinedEmbedder } from '../retrieval/embed/define-embedder.ts'

/** Agents whose sessions Ken can read, in reading order; each loads when a harvest begins. */
export const HARVESTERS = [
  harvester('claude-code', () => import('../memory/harvest/claude-code/index.ts').then((file) => file.claudeCode)),
  harvester('codex', () => import('../memory/harvest/codex/index.ts').then((file) => file.codex)),
  harvester('opencode', () => import('../memory/harvest/opencode/index.ts').then((file) => file.opencode)),
  harvester('gemini-cli', () => import('../memory/harvest/gemini/index.ts').then((file) => file.gemini)),
  harvester('copilot', () => import('../memory/harvest/copilot/index.ts').then((file) => file.copilot)),
  harvester('qwen', () => import('../memory/harvest/qwen/index.ts').then((file) => file.qwen)),
  harvester('pi', () => import('../memory/harvest/pi/index.ts').then((file) => file.pi)),
  harvester('cursor', () => import('../memory/harvest/cursor/index.ts').then((file) => file.cursor)),
  harvester('vscode', () => import('../memory/harvest/vscode/index.ts').then((file) => file.vscode)),
  harvester('cline', () => import('../memory/harvest/cline/index.ts').then((file) => file.cline)),
  harvester('roo-code', () => import('../memory/harvest/cline/index.ts').then((file) => file.roo)),
  harvester('goose', () => import('../memory/harvest/goose/index.ts').then((file) => file.goose)),
  harvester('zed', () => import('../memory/harvest/zed/index.ts').then((file) => file.zed)),
  harvester('crush', () => import('../memory/harvest/crush/index.ts').then((file) => file.crush)),
  harvester('aider', () => import('../memory/harvest/aider/index.ts').then((file) => file.aider)),
]

/** Values of search.embedder; each loads when it is opened. */
export const EMBEDDERS = [
  embedder('bundled', () => import('../retrieval/embed/static/index.ts').then((file) => file.bundled)),
  embedder('onnx:<name>', () => import('../retrieval/embed/onnx/index.ts').then((file) => file.onnx)),
  embedder('ollama:<model>', () => import('../retrieval/embed/ollama/index.ts').then((file) => file.ollama)),
  embedder('openai:<model>', () => import('../retrieval/embed/openai/index.ts').then((file) => file.openai)),
]

/** Sources for `ken sync` other than databases. Loaded with the first context project. */
export const SOURCES: readonly (() => Promise<SourceDefinition>)[] = [
  async () => (await import('../context/source/git/index.ts')).repositories,
  async () => (await import('../context/source/web/index.ts')).docs,
  async () => (await import('../context/source/notion/index.ts')).notion,
  async () => (await import('../context/source/confluence/index.ts')).confluence,
  async () => (await import('../context/source/dbt/index.ts')).dbt,
  async () => (await import('../context/source/looker/index.ts')).looker,
  async () => (await import('../context/source/cube/index.ts')).cube,
  async () => (await import('../context/source/metabase/index.ts')).metabase,
  async () => (await import('../context/source/slack/index.ts')).slack,
  async () => (await import('../context/source/github/index.ts')).github,
  async () => (await import('../context/source/airflow/index.ts')).airflow,
  async () => (await import('../context/source/dagster/index.ts')).dagster,
  async () => (await import('../context/source/openlineage/index.ts')).openlineage,
]

/** Supported databases. Loaded with the first context project; a driver when a database is opened. */
export const WAREHOUSES: readonly (() => Promise<WarehouseDefinition>)[] = [
  async () => (await import('../context/warehouse/duckdb/index.ts')).duckdb,
  async () => (await import('../context/warehouse/sqlite/index.ts')).sqlite,
  async () => (await import('../context/warehouse/files/index.ts')).files,
  async () => (await import('../context/warehouse/postgres/index.ts')).postgresql,
  async () => (await import('../context/warehouse/mysql/index.ts')).mysql,
  async () => (await import('../context/warehouse/redshift/index.ts')).redshift,
  async () => (await import('../context/warehouse/snowflake/index.ts')).snowflake,
  async () => (await import('../context/warehouse/bigquery/index.ts')).bigquery,
  async () => (await import('../context/warehouse/databricks/index.ts')).databricks,
  async () => (await import('../context/warehouse/clickhouse/index.ts')).clickhouse,
  async () => (await import('../context/warehouse/mssql/index.ts')).mssql,
  async () => (await import('../context/warehouse/athena/index.ts')).athena,
  async () => (await import('../context/warehouse/trino/index.ts')).trino,
]

export async function contextDefinitions(): Promise<ContextDefinitions> {
  const [sources, warehouses] = await Promise.all([
    Promise.all(SOURCES.map((load) => load())),
    Promise.all(WAREHOUSES.map((load) => load())),
  ])
  return { sources, warehouses }
}

/** A line of HARVESTERS: its name must match the harvester's definition. */
function harvester<const C extends string>(
  client: C,
  load: () => Promise<Harvester & { readonly client: NoInfer<C> }>,
) {
  return { client, load }
}

/** A line of EMBEDDERS: its name must match the embedder's definition. */
function embedder<const N extends string>(name: N, load: () => Promise<DefinedEmbedder<NoInfer<N>>>) {
  return { name, load } as { readonly name: string; load(): Promise<DefinedEmbedder> }
}
