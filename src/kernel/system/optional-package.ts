import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { AppError } from '../domain/errors.ts'
import type { OptionalPackage } from '../ports/optional-package.ts'

/**
 * Packages that are loaded on use, with their purpose. Those up to the keychain are installed with Ken unless omitted
 * (`npm install kenbase --omit=optional`); the others are installed by users who need them.
 */
const SERVES = {
  '@duckdb/node-api': 'DuckDB',
  pg: 'PostgreSQL, Redshift and the team server',
  'libpg-query': 'PostgreSQL',
  mysql2: 'MySQL',
  '@resvg/resvg-wasm': 'PNG pictures of charts',
  pdfkit: 'stories as PDF',
  ai: 'language models',
  '@ai-sdk/openai-compatible': 'models of Ollama and compatible servers',
  '@ai-sdk/openai': 'models of OpenAI',
  '@ai-sdk/anthropic': 'models of Anthropic',
  '@ai-sdk/google': 'models of Google',
  '@napi-rs/keyring': 'keys in the keychain of this system',
  nodemailer: 'mail of the team server',
  '@simplewebauthn/server': 'passkeys of the team server',
  'openid-client': 'signing in to the team server with a provider',
  '@ai-sdk/mistral': 'models of Mistral',
  '@openrouter/ai-sdk-provider': 'models of OpenRouter',
  '@ai-sdk/azure': 'models of Azure',
  '@ai-sdk/amazon-bedrock': 'models of Bedrock',
  '@ai-sdk/google-vertex': 'models of Vertex',
  'snowflake-sdk': 'Snowflake',
  '@google-cloud/bigquery': 'BigQuery',
  '@databricks/sql': 'Databricks',
  '@clickhouse/client': 'ClickHouse',
  mssql: 'SQL Server',
  'trino-client': 'Trino',
  '@aws-sdk/client-athena': 'Athena',
  'onnxruntime-node': 'embedding models in this process',
  'onnxruntime-web': 'embedding models in this process',
} as const

export type OptionalName = keyof typeof SERVES

/** All optional packages, in the order above. Loads none. */
export const optionalPackages = (): readonly OptionalPackage[] =>
  Object.entries(SERVES).map(([name, serves]) => ({ name, serves, version: installedVersion(name) }))

/** `needing` names the feature that needs the package; by default the package's purpose. */
export async function loadOptional<Module>(name: OptionalName, needing: string = SERVES[name]): Promise<Module> {
  assertInstalled(name, needing)
  return (await import(name)) as Module
}

/** Throws `unavailable` if a package is missing; for packages loaded by another process. */
export function assertInstalled(name: OptionalName, needing: string = SERVES[name]): void {
  if (installedVersion(name) !== undefined) return
  throw new AppError('unavailable', `${needing} needs the package ${name}, which is not installed`, {
    hint: `Install it beside Ken: npm install ${name} (with --global where Ken is global).`,
  })
}

export function installedVersion(name: string): string | undefined {
  try {
    const path = findPackageJSON(name, import.meta.url)
    if (path === undefined) return undefined
    return String((JSON.parse(readFileSync(path, 'utf8')) as { version?: string }).version ?? '')
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
