import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { AppError } from '../domain/errors.ts'
import type { OptionalPackage } from '../ports/optional-package.ts'

/**
 * Packages that are loaded on use, with their purpose. Those up to the keychain are installed with Ken unless omitted
 * (`npm install kenbase --omit=optional`); the others are installed by users who need them.
 */
const PACKAGES = {
  '@duckdb/node-api': { serves: 'DuckDB', tested: '1.5.5-r.5' },
  pg: { serves: 'PostgreSQL, Redshift and the team server', tested: '8' },
  'libpg-query': { serves: 'PostgreSQL', tested: '18.1.5' },
  mysql2: { serves: 'MySQL', tested: '3' },
  '@resvg/resvg-wasm': { serves: 'PNG pictures of charts', tested: '2' },
  pdfkit: { serves: 'stories as PDF', tested: '0.20' },
  ai: { serves: 'language models', tested: '7' },
  '@ai-sdk/openai-compatible': { serves: 'Ollama and OpenAI-compatible models', tested: '3' },
  '@ai-sdk/openai': { serves: 'OpenAI models', tested: '4' },
  '@ai-sdk/anthropic': { serves: 'Anthropic models', tested: '4' },
  '@ai-sdk/google': { serves: 'Google models', tested: '4' },
  '@napi-rs/keyring': { serves: 'keys in the keychain of this system', tested: '2' },
  nodemailer: { serves: 'mail of the team server', tested: '10' },
  '@simplewebauthn/server': { serves: 'passkeys of the team server', tested: '14' },
  'openid-client': { serves: 'signing in to the team server with a provider', tested: '6' },
  '@ai-sdk/mistral': { serves: 'Mistral models', tested: '4' },
  '@openrouter/ai-sdk-provider': { serves: 'OpenRouter models', tested: '3' },
  '@ai-sdk/azure': { serves: 'Azure models', tested: '4' },
  '@ai-sdk/amazon-bedrock': { serves: 'Bedrock models', tested: '5' },
  '@ai-sdk/google-vertex': { serves: 'Vertex models', tested: '5' },
  'snowflake-sdk': { serves: 'Snowflake', tested: '3' },
  '@google-cloud/bigquery': { serves: 'BigQuery', tested: '9' },
  '@databricks/sql': { serves: 'Databricks', tested: '2' },
  '@clickhouse/client': { serves: 'ClickHouse', tested: '1' },
  mssql: { serves: 'SQL Server', tested: '12' },
  'trino-client': { serves: 'Trino', tested: '0.2' },
  '@aws-sdk/client-athena': { serves: 'Athena', tested: '3' },
  'onnxruntime-node': { serves: 'embedding models in this process', tested: '1' },
  'onnxruntime-web': { serves: 'embedding models in this process', tested: '1' },
} as const

export type OptionalName = keyof typeof PACKAGES

/** All optional packages, in the order above. Loads none. */
export const optionalPackages = (): readonly OptionalPackage[] =>
  Object.entries(PACKAGES).map(([name, facts]) => ({ name, ...facts, version: installedVersion(name) }))

/** `needing` names the feature that needs the package; by default the package's purpose. */
export async function loadOptional<Module>(
  name: OptionalName,
  needing: string = PACKAGES[name].serves,
): Promise<Module> {
  assertInstalled(name, needing)
  return (await import(name)) as Module
}

/**
 * Throws `unavailable` if a package is missing; for packages loaded by another process. The command in its hint
 * installs everything that the feature needs, in the versions that Ken is tested with.
 */
export function assertInstalled(name: OptionalName, needing: string = PACKAGES[name].serves): void {
  if (installedVersion(name) !== undefined) return
  const missing = [name, ...beside(name)].filter((one) => installedVersion(one) === undefined)
  const words = missing.map((one) => `${one}@${PACKAGES[one]?.tested ?? 'latest'}`).join(' ')
  // npm silently skips optional packages that need a newer Node.
  throw new AppError('unavailable', `The package ${name} is not installed (needed for ${needing})`, {
    hint: `Install it beside Ken, with Node ${NODE} or newer: npm install ${words} (with --global where Ken is global).`,
  })
}

/** The oldest Node that Ken and all these packages support. */
const NODE = '22.18'

/** Other packages that the feature needs. */
const beside = (name: OptionalName): readonly OptionalName[] =>
  name === 'pg' ? ['libpg-query'] : /^@(?:ai-sdk|openrouter)\//.test(name) ? ['ai'] : []

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
