import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { siteFiles } from '../scripts/docs-site.ts'
import { routeOf } from '../src/surfaces/http/team/request-log.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const HELP = read('src/app/team/team-command.ts')
const DOCKERFILE = read('Dockerfile')
const [final = ''] = DOCKERFILE.split(/^(?=FROM )/m).slice(-1)

interface Container {
  readonly command?: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly securityContext: object
  readonly [probe: string]: unknown
}

const manifests = readdirSync(join(ROOT, 'deploy/kubernetes')).flatMap((file) =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => {
    expect(document.errors, file).toEqual([])
    return document.toJS() as { kind: string; apiVersion: string; metadata: { name: string }; spec: any }
  }),
)
const podOf = (spec: any): any => spec.template?.spec ?? spec.jobTemplate?.spec.template.spec
const pods = manifests.flatMap(({ spec }) => podOf(spec) ?? [])

describe('Kubernetes', () => {
  test('supports a rolling update, a drained node and a database outage', () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      'CronJob',
      'Deployment',
      'Ingress',
      'Job',
      'Job',
      'NetworkPolicy',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
    ])
    const { spec } = manifests.find(({ kind }) => kind === 'Deployment')!
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    const [container] = spec.template.spec.containers
    expect(container.readinessProbe.httpGet.path).toBe('/ready')
    expect(container.livenessProbe.httpGet.path).toBe('/health')
    const labels = manifests.flatMap(({ spec: { selector } }) => (selector ? [selector.matchLabels ?? selector] : []))
    for (const label of labels) expect(label).toEqual(spec.template.metadata.labels)
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30)
  })

  test('runs as an unprivileged user, on a read-only file system, within limits', () => {
    expect(pods.length).toBe(4)
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const { securityContext, resources } of pod.containers as Container[]) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources).toEqual({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        })
      }
    }
  })

  test('admits requests from the ingress and Prometheus only', () => {
    const [servers, jobs] = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const { spec } = manifests.find(({ kind }) => kind === 'Deployment')!
    expect(servers!.spec.podSelector.matchLabels).toEqual(spec.template.metadata.labels)
    const ports = spec.template.spec.containers[0].ports as { name: string }[]
    expect(servers!.spec.ingress.flatMap((one: any) => one.ports.map(({ port }: any) => port))).toEqual(
      ports.map(({ name }) => name),
    )
    const others = manifests.flatMap(
      ({ spec: { jobTemplate, template } }) => (jobTemplate?.spec ?? { template }).template ?? [],
    )
    expect(jobs!.spec.ingress).toBeUndefined()
    expect(jobs!.spec.podSelector.matchExpressions[0].values.toSorted()).toEqual(
      others
        .map(({ metadata }) => metadata.labels.app)
        .filter((app) => app !== 'ken')
        .toSorted(),
    )
  })

  test('takes the database address from a secret, and contains none', () => {
    const secrets = pods.flatMap((pod) =>
      (pod.containers as Container[]).map(
        ({ env }) => (env.find(({ name }) => name === 'DATABASE_URL')!.valueFrom as any).secretKeyRef,
      ),
    )
    // Servers log in as a role that owns no table.
    expect(secrets.map(({ name, key }) => `${name}/${key}`).toSorted()).toEqual([
      'ken-owner/database-url',
      'ken-owner/database-url',
      'ken-restored/database-url',
      'ken/database-url',
    ])
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret')
  })
})

describe('compose', () => {
  const text = read('compose.yaml')
  const compose = parse(text)

  test('contains no password, and exits without one', () => {
    const asked = [...text.matchAll(/\$\{(\w+)([^}]*)\}/g)]
    expect(asked.length).toBeGreaterThan(2)
    for (const [, name, rest] of asked) {
      expect(rest, name).toMatch(/^:\?/)
      expect(read('deploy/env.example')).toMatch(new RegExp(`^${name}=$`, 'm'))
    }
    expect(read('.gitignore')).toMatch(/^\.env$/m)
  })

  test('waits until the database answers, and stores the database in a volume', () => {
    const { database, ken } = compose.services
    expect(database.healthcheck.test[1]).toBe('pg_isready')
    expect(ken.depends_on.database.condition).toBe('service_healthy')
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining([database.volumes[0].split(':')[0]]))
    expect(ken).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(ken.ports).toEqual(['127.0.0.1:4872:4872'])
  })
})

describe('the image', () => {
  test('ends in a stage that only copies, runs as an unprivileged user and has a health check', () => {
    expect(final).toMatch(/^USER 1000:1000$/m)
    expect(final).toMatch(/^HEALTHCHECK /m)
    expect(final).toContain('/health')
    expect(DOCKERFILE).not.toMatch(/^(?:ARG|ENV) .*(?:TOKEN|PASSWORD|SECRET|KEY|DATABASE_URL)/im)
    expect([...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^node:24-bookworm-slim@sha256:[0-9a-f]{64}$/)),
    )
  })

  test('has git and CA certificates: contexts come from repositories', () => {
    expect(final).toMatch(/apt-get install .*\bgit ca-certificates\b/)
    expect(final.indexOf('apt-get')).toBeLessThan(final.indexOf('\nUSER '))
  })

  test('is built from listed files, including everything in the package', () => {
    const [first, ...named] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    const { files } = JSON.parse(read('package.json')) as { files: readonly string[] }
    for (const file of files.filter((name) => name !== 'dist' && !name.startsWith('!')))
      expect(named).toContain(`!${file}`)
    // The build renders these pages for `ken docs`.
    for (const page of siteFiles().filter((path) => !path.includes('/'))) expect(named).toContain(`!${page}`)
    expect(named.at(-1)).toBe('**/.env*')
    expect(files).not.toContain('deploy')
  })

  test('includes the packages that a team server uses, in versions that Ken supports', () => {
    const { peerDependencies } = JSON.parse(read('package.json')) as { peerDependencies: Record<string, string> }
    for (const name of ['nodemailer', '@simplewebauthn/server', 'openid-client']) {
      const [, major] = new RegExp(` ${name}@(\\d+)\\b`).exec(DOCKERFILE) ?? []
      expect(Number(major), name).toBeGreaterThanOrEqual(Number(/\d+/.exec(peerDependencies[name]!)![0]))
    }
  })
})

test('alerts use metrics, routes and job events that the server has', () => {
  const { groups } = parse(read('deploy/prometheus/ken-alerts.yaml')) as {
    groups: readonly { rules: readonly { alert: string; expr: string; annotations: { summary: string } }[] }[]
  }
  const source = read('src/app/team/serve-team.ts') + read('src/surfaces/http/team/team-app.ts')
  const guide = read('docs/guides/team-server-alerts.md')
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(5)
  for (const { alert, expr } of rules) {
    expect(guide, alert).toContain(alert)
    for (const [metric] of expr.matchAll(/\bken_\w+/g))
      expect(source, alert).toMatch(new RegExp(`'${metric.replace(/_bucket$/, '')}'`))
    for (const [, route] of expr.matchAll(/route="([^"]+)"/g))
      expect(
        routeOf(route!, () => true),
        alert,
      ).toBe(route)
    for (const [, events] of expr.matchAll(/event=~?"([^"]+)"/g))
      for (const event of events!.split('|')) expect(read('src/app/run-jobs.ts'), alert).toContain(`'${event}'`)
  }
})

test('commands use only flags that `ken server` accepts', () => {
  const units = readdirSync(join(ROOT, 'deploy/systemd')).map((file) => read(`deploy/systemd/${file}`))
  const started = [
    /^CMD .*$/m.exec(DOCKERFILE)![0],
    ...units.flatMap((unit) => unit.match(/^ExecStart=.*ken\.js.*$/gm) ?? []),
    ...pods.flatMap((pod) => (pod.containers as { args?: string[] }[]).flatMap(({ args }) => args?.join(' ') ?? [])),
  ]
  expect(started.length).toBe(6)
  for (const line of started)
    for (const [flag] of line.matchAll(/--[a-z][a-z-]*/g)) expect(HELP, line).toMatch(new RegExp(`${flag}\\b`))
})

describe('third-party code in the workflows', () => {
  const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`)

  test.each([...WORKFLOWS, 'action.yml', 'compose.yaml'])('is pinned by digest in %s', (path) => {
    const named = [...read(path).matchAll(/^\s*(?:- )?(?:uses|image|container): *(\S+)/gm)].map(([, one]) => one!)
    const own = (one: string): boolean => one.startsWith('./') || one === 'ken-server'
    expect(named.filter((one) => !own(one) && !/@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(one))).toEqual([])
  })

  test('runs none of its scripts in the job that publishes', () => {
    const publish = read('.github/workflows/release.yml').split(/^  publish:$/m)[1]!
    const runs = [...publish.matchAll(/run: (.*)$/gm)].map(([, line]) => line!)
    expect(runs).not.toEqual([])
    expect(runs.filter((line) => /\bnpm\b/.test(line) && !line.includes('--ignore-scripts'))).toEqual([])
  })
})
