import type { DefinedEmbedder } from '../adapters/embed/define-embedder.ts'
import type { ContextDefinitions } from '../ports/context-project.ts'
import type { Harvester } from '../ports/harvester.ts'
import type { SourceDefinition } from '../ports/source.ts'
import type { WarehouseDefinition } from '../ports/warehouse.ts'

/** The agents whose sessions Ken can read, in the order they are read in; each loads when a harvest begins. */
export const HARVESTERS = [
  harvester('claude-code', () => import('../adapters/harvest/claude-code/index.ts').then((file) => file.claudeCode)),
  harvester('codex', () => import('../adapters/harvest/codex/index.ts').then((file) => file.codex)),
  harvester('opencode', () => import('../adapters/harvest/opencode/index.ts').then((file) => file.opencode)),
  harvester('gemini-cli', () => import('../adapters/harvest/gemini/index.ts').then((file) => file.gemini)),
  harvester('copilot', () => import('../adapters/harvest/copilot/index.ts').then((file) => file.copilot)),
  harvester('qwen', () => import('../adapters/harvest/qwen/index.ts').then((file) => file.qwen)),
  harvester('pi', () => import('../adapters/harvest/pi/index.ts').then((file) => file.pi)),
  harvester('cursor', () => import('../adapters/harvest/cursor/index.ts').then((file) => file.cursor)),
  harvester('vscode', () => import('../adapters/harvest/vscode/index.ts').then((file) => file.vscode)),
  harvester('cline', () => import('../adapters/harvest/cline/index.ts').then((file) => file.cline)),
  harvester('roo-code', () => import('../adapters/harvest/cline/index.ts').then((file) => file.roo)),
  harvester('goose', () => import('../adapters/harvest/goose/index.ts').then((file) => file.goose)),
  harvester('zed', () => import('../adapters/harvest/zed/index.ts').then((file) => file.zed)),
  harvester('crush', () => import('../adapters/harvest/crush/index.ts').then((file) => file.crush)),
  harvester('aider', () => import('../adapters/harvest/aider/index.ts').then((file) => file.aider)),
]

/** What search.embedder may name; each loads when it is opened. */
export const EMBEDDERS = [
  embedder('bundled', () => import('../adapters/embed/static/index.ts').then((file) => file.bundled)),
  embedder('onnx:<name>', () => import('../adapters/embed/onnx/index.ts').then((file) => file.onnx)),
  embedder('ollama:<model>', () => import('../adapters/embed/ollama/index.ts').then((file) => file.ollama)),
  embedder('openai:<model>', () => import('../adapters/embed/openai/index.ts').then((file) => file.openai)),
]

/** What `ken sync` compiles from, beside databases. Loaded with the first context project. */
export const SOURCES: readonly (() => Promise<SourceDefinition>)[] = [
  async () => (await import('../adapters/source/git/index.ts')).repositories,
  async () => (await import('../adapters/source/web/index.ts')).docs,
  async () => (await import('../adapters/source/notion/index.ts')).notion,
  async () => (await import('../adapters/source/confluence/index.ts')).confluence,
  async () => (await import('../adapters/source/dbt/index.ts')).dbt,
  async () => (await import('../adapters/source/looker/index.ts')).looker,
  async () => (await import('../adapters/source/cube/index.ts')).cube,
  async () => (await import('../adapters/source/metabase/index.ts')).metabase,
  async () => (await import('../adapters/source/slack/index.ts')).slack,
  async () => (await import('../adapters/source/github/index.ts')).github,
  async () => (await import('../adapters/source/airflow/index.ts')).airflow,
  async () => (await import('../adapters/source/dagster/index.ts')).dagster,
  async () => (await import('../adapters/source/openlineage/index.ts')).openlineage,
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
