import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { VENDORS } from '../scripts/link-vendors.ts'

const ROOT = resolve(import.meta.dirname, '..')
const MANIFESTS = join(ROOT, 'deploy/kubernetes')

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name?: string; readonly generateName?: string }
  readonly spec: any
}

const manifests = readdirSync(MANIFESTS).flatMap((file) =>
  parseAllDocuments(readFileSync(join(MANIFESTS, file), 'utf8')).map((document) => document.toJS() as Manifest),
)
const typeOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`

// Below the packages of test/vendors, where the compiler finds the types.
const place = mkdtempSync(join(VENDORS, 'node_modules/.manifests-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Compiles manifests as literals of Kubernetes' own types, which knows every field and finds misspelled ones. */
function faultsOf(all: readonly Manifest[]): string {
  const lines = all.map(
    (manifest, at) =>
      `import type { I${manifest.kind} as T${at} } from '${typeOf(manifest)}'\n` +
      `export const manifest${at}: T${at} = ${JSON.stringify(manifest)}\n`,
  )
  writeFileSync(join(place, 'manifests.mts'), lines.join(''))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext']
  return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, 'manifests.mts'], {
    cwd: place,
    encoding: 'utf8',
  }).stdout
}

test('manifests have only fields that the Kubernetes API has, with values of their types', () => {
  expect(faultsOf(manifests)).toBe('')
  const misspelled = structuredClone(manifests)
  const { spec } = misspelled.find(({ kind }) => kind === 'Deployment')!.spec.template
  spec.terminationGracePeriod = spec.terminationGracePeriodSeconds
  expect(faultsOf(misspelled)).toContain('"terminationGracePeriod"')
})

test.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
  'the schema of Kubernetes accepts the %s',
  async (kind, manifest) => {
    const models = (await import(typeOf(manifest))) as Record<string, new (data: object) => { validate(): void }>
    expect(() => new models[kind]!(manifest).validate()).not.toThrow()
    expect(() => new models[kind]!({ ...manifest, spec: 'x' }).validate()).toThrow('spec')
  },
)
