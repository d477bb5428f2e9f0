import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-package-')))
const folder = join(place, 'package')

// The package as it would be published, unpacked beside this clone's dependencies: installing those again would need
// the network.
beforeAll(() => {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT })
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  )
  execFileSync('tar', ['-xzf', join(place, packed.filename), '-C', place])
  execFileSync('ln', ['-s', join(ROOT, 'node_modules'), join(folder, 'node_modules')])
}, 120_000)

afterAll(() => rmSync(place, { recursive: true, force: true }))

const env = () => ({ PATH: process.env['PATH'], HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' })

test('the published package carries compiled code and runs', () => {
  const answer = execFileSync(process.execPath, [join(folder, 'bin', 'ken.js'), 'demo'], {
    env: env(),
    encoding: 'utf8',
  })
  expect(answer).toContain('It brings back "RabbitMQ"')
}, 60_000)

test('kenbase/core reads and writes the format for other tools', () => {
  writeFileSync(
    join(folder, 'try.mjs'),
    `
    import { parseDecision, formatDecision, slugify, decisionNumber, duplicateHash, stem, rankBm25 } from 'kenbase/core'
    const text = '---\\ndate: 2026-04-16\\nconfidence: high\\n---\\n\\n# 001 — A\\n\\n## Decision\\n\\nBecause.\\n'
    const decision = parseDecision(text, '001-a.md')
    console.log(JSON.stringify([decision.title, formatDecision(decision).length, slugify('A b'), decisionNumber('D42'), duplicateHash('a', 'b').length, stem('caching'), rankBm25(['red car', 'blue car'], 'red')[0].index]))
  `,
  )
  expect(
    JSON.parse(execFileSync(process.execPath, [join(folder, 'try.mjs')], { env: env(), encoding: 'utf8' })),
  ).toEqual(['A', 102, 'a-b', 42, 64, 'cach', 0])
}, 60_000)

test('a Node that is too old is told what to do in one line', () => {
  const launcher = `
    Object.defineProperty(process.versions, 'node', { value: '20.19.0' });
    process.env.KEN_RELAUNCHED = '1';
    await import(${JSON.stringify(join(folder, 'bin', 'ken.js'))})`
  const ran = (() => {
    try {
      return execFileSync(process.execPath, ['--input-type=module', '-e', launcher], {
        env: env(),
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch (error) {
      return (error as { stderr: string }).stderr
    }
  })()
  expect(ran.trim()).toMatch(/^Ken needs Node 22\.18 or newer; .*Install Node 24.*$/)
}, 60_000)

test('no dependency that users get needs an install script: npm blocks them by default', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>
  }
  const scripted = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && entry.hasInstallScript === true && entry.dev !== true,
  )
  expect(scripted.map(([path]) => path)).toEqual([])
})
