import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'

const ROOT = resolve(import.meta.dirname, '..')
const { engines, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string }
  scripts: Record<string, string>
}

interface Job {
  readonly 'runs-on': string
  readonly 'timeout-minutes': number
  readonly needs?: string
  readonly permissions?: Record<string, string>
  readonly strategy?: { readonly matrix: Record<string, readonly (string | number)[]> }
  readonly container?: string
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Record<string, unknown> }[]
}
interface Workflow {
  readonly name: string
  readonly on: Record<string, unknown>
  readonly permissions: Record<string, string>
  readonly jobs: Readonly<Record<string, Job>>
}

const readYaml = (path: string): unknown => {
  const document = parseDocument(readFileSync(join(ROOT, path), 'utf8'), { strict: true, uniqueKeys: true })
  expect({ path, faults: [...document.errors, ...document.warnings] }).toEqual({ path, faults: [] })
  return document.toJS()
}
const workflow = (name: string) => readYaml(`.github/workflows/${name}.yml`) as Workflow

/** `22.18` from `>=22.18`. */
const lowest = engines.node.replace(/^>=/, '').split('.').map(Number)

test.each(['ci', 'release'])('the workflow %s is valid, has a timeout, and only reads', (name) => {
  const { on, permissions, jobs } = workflow(name)
  expect(Object.keys(on).length).toBeGreaterThan(0)
  expect(permissions).toEqual({ contents: 'read' })
  for (const job of Object.values(jobs)) {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(120)
    for (const step of job.steps) expect(step.uses ?? step.run).toEqual(expect.any(String))
    for (const { run = '' } of job.steps)
      for (const [, script] of run.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script)
  }
})

test('every system is tested with the oldest Node that the package allows and the one it is developed on', () => {
  const { check, slow } = workflow('ci').jobs as Record<string, Job>
  expect(engines.node).toMatch(/^>=\d+\.\d+$/)
  expect(check!.strategy!.matrix['os']).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
  const versions = check!.strategy!.matrix['node'] as readonly number[]
  expect(Math.min(...versions)).toBe(lowest[0])
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: { node: string }
  }
  const own = Number(/\d+/.exec(devDependencies.node)![0])
  expect(Math.max(...versions)).toBe(own)
  expect(slow!.container).toMatch(new RegExp(`^node:${own}-`))
  expect(workflow('release').jobs['publish']!.steps.flatMap((step) => step.with?.['node-version'] ?? [])).toEqual([own])
  expect(check!.steps.map(({ run }) => run)).toContain('npm run check')
})

test('pull requests are checked against our own record, with the action of their branch', () => {
  const { ken } = workflow('ci').jobs as Record<string, Job>
  expect(ken!.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
  expect(Object.keys(workflow('ci').on)).not.toContain('pull_request_target')
  const { uses, with: given } = ken!.steps.at(-1)!
  expect([uses, given!['version']]).toEqual(['./', 'local'])
  const { inputs } = readYaml('action.yml') as { inputs: object }
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given!)))
})

test('a release is published with provenance, by the only job that can prove its identity', () => {
  const { on, jobs } = workflow('release')
  expect(on).toEqual({ push: { tags: ['v*'] } })
  expect(jobs['publish']!.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  const runs = jobs['publish']!.steps.flatMap(({ run }) => run ?? [])
  expect(runs.at(-1)).toBe('npm publish --ignore-scripts --provenance --access public')
  expect(jobs['publish']!.needs).toBe('check')
  expect(jobs['check']!.steps.flatMap(({ run }) => run ?? [])).toContain('npm run check')
  expect(jobs['check']!.permissions).toBeUndefined()
})

test('the issue forms are valid', () => {
  const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')
  expect(forms.length).toBeGreaterThan(0)
  for (const form of forms) {
    const { name, description, body } = readYaml(`.github/ISSUE_TEMPLATE/${form}`) as Record<string, any>
    expect([name, description]).toEqual([expect.any(String), expect.any(String)])
    for (const field of body) expect(['markdown', 'textarea', 'input', 'checkboxes']).toContain(field.type)
    const ids = body.flatMap(({ id }: { id?: string }) => id ?? [])
    expect(new Set(ids).size).toBe(body.filter(({ type }: { type: string }) => type !== 'markdown').length)
  }
})
