/**
 * Measures the cost of starting Ken: `node bench/cold.ts [rounds]`, 25 by default. Every round starts a bare Node and
 * then each command once, from the source and from the packed package. Other work on the machine makes times longer,
 * never shorter, so the relevant figure is the median ratio to the bare Node of the same round; the shortest time is
 * printed next to it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openCorpus } from './decision-corpus.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DECISIONS = 200
const QUERY = 'move the queue of background jobs to a message broker'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-cold-')))
try {
  report(measure(Number(process.argv[2] ?? 25)))
} finally {
  rmSync(place, { recursive: true, force: true })
}

function measure(rounds: number): Map<string, number[]> {
  const launchers = { source: join(ROOT, 'bin/ken.js'), package: join(unpackedPackage(), 'bin/ken.js') }
  const repository = join(place, 'repository')
  const env = { ...process.env, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }
  const run = (values: readonly string[], input = '') =>
    execFileSync(process.execPath, values, { cwd: repository, env, input, encoding: 'utf8' })
  mkdirSync(repository)
  fillRecord((JSON.parse(run([launchers.source, 'init', 'bench', '--json'])) as { store: string }).store)
  const hook = (event: string) =>
    JSON.stringify({ session_id: crypto.randomUUID(), cwd: repository, hook_event_name: event, prompt: QUERY })
  const commands: [string, string[], () => string][] = [
    ['--version', ['--version'], () => ''],
    [
      'hook, no project',
      ['hook', 'prompt', '--client', 'claude-code'],
      () => JSON.stringify({ cwd: place, prompt: QUERY }),
    ],
    ['hook prompt', ['hook', 'prompt', '--client', 'claude-code'], () => hook('UserPromptSubmit')],
    ['check', ['check', QUERY], () => ''],
    ['search', ['search', QUERY], () => ''],
  ]
  const times = new Map<string, number[]>()
  // The first round fills the compile cache and the index and does not count.
  for (let round = 0; round <= rounds; round++) {
    const note = (name: string, ms: number) => round > 0 && times.set(name, [...(times.get(name) ?? []), ms])
    note(
      'bare node',
      timed(() => run(['-e', '0'])),
    )
    for (const [name, values, input] of commands)
      for (const [from, launcher] of Object.entries(launchers)) {
        const given = input()
        note(
          `${name} · ${from}`,
          timed(() => run([launcher, ...values], given)),
        )
      }
  }
  return times
}

/** The package as `npm publish` would send it, unpacked beside this clone's dependencies. */
function unpackedPackage(): string {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  execFileSync('tar', ['-xzf', join(place, filename), '-C', place])
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'package/node_modules'))
  return join(place, 'package')
}

function fillRecord(record: string): void {
  const corpus = openCorpus(DECISIONS)
  for (let num = 2; num <= DECISIONS; num++) {
    const { name, text } = corpus.decision(num)
    writeFileSync(join(record, 'decisions', name), text)
  }
}

function report(times: ReadonlyMap<string, readonly number[]>): void {
  const bare = times.get('bare node')!
  console.log(`${'start of'.padEnd(28)}${'× bare node'.padStart(12)}${'median'.padStart(10)}${'best'.padStart(10)}`)
  for (const [name, taken] of times) {
    const ratio = median(taken.map((ms, round) => ms / bare[round]!))
    const columns = [`${ratio.toFixed(1)}×`, `${median(taken).toFixed(0)} ms`, `${Math.min(...taken).toFixed(0)} ms`]
    console.log(name.padEnd(28) + columns.map((text, i) => text.padStart(i === 0 ? 12 : 10)).join(''))
  }
}

function timed(act: () => unknown): number {
  const from = performance.now()
  act()
  return performance.now() - from
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
