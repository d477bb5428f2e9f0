/**
 * Loads every published module and runs a few commands in the oldest Node that Ken supports: `npm run oldest-node`. It
 * is fetched from the registry into a temporary folder, because a clone installs a newer one.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackage } from '../bench/index/package.ts'

const ROOT = join(import.meta.dirname, '..')
const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } }
const [oldest] = /\d+\.\d+(?:\.\d+)?/.exec(engines.node)!
// A worker needs its data, and some modules need packages that a user installs.
const LOAD = `for (const one of process.argv.slice(1)) await import(one).catch((error) => {
  if (!/workerData|parentPort|Cannot find package/.test(error.message)) throw error
})
process.exit(0)`
const place = mkdtempSync(join(tmpdir(), 'ken-oldest-node-'))
try {
  writeFileSync(join(place, 'package.json'), '{}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `node@${oldest}`], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const node = programBelow(join(place, 'node_modules'))
  const ken = await buildPackage(join(place, 'package'))
  const folder = join(place, 'work')
  mkdirSync(folder)
  const env = { ...process.env, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }
  const run = (...words: string[]) => execFileSync(node, words, { cwd: folder, env, encoding: 'utf8' })
  const version = run('--version').trim()
  const modules = readdirSync(join(place, 'package/dist'), { recursive: true, encoding: 'utf8' })
    // Loading a program would run it.
    .filter((name) => name.endsWith('.js') && !/(?:worker|main)\.js$/.test(name))
    .map((name) => join(place, 'package/dist', name))
  run('--input-type=module', '--eval', LOAD, ...modules)
  run(ken, 'init')
  run(ken, 'add', 'Log with pino', '--rationale', 'Structured logs that the collector reads.')
  run(ken, 'note', 'The export times out at the proxy.')
  if (!run(ken, 'query', 'what did we note about the export in November').includes('proxy'))
    throw new Error('the note was not found')
  console.log(`${modules.length} modules and five commands run in Node ${version}.`)
} finally {
  rmSync(place, { recursive: true, force: true })
}

function programBelow(folder: string): string {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && entry.name === 'node' && entry.parentPath.endsWith('bin'),
  )
  if (found === undefined) throw new Error(`Node ${oldest} could not be installed.`)
  return join(found.parentPath, found.name)
}
