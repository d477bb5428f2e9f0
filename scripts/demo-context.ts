// `npm run demo:context`: creates a small shop in DuckDB (12 tables, over a million rows), and compiles it twice.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeShop } from './demo-shop.ts'

const folder = join(tmpdir(), 'ken-demo-context')
const launcher = join(import.meta.dirname, '..', 'bin', 'ken.js')

function ken(...words: string[]): void {
  console.log(`\n$ ken ${words.join(' ')}`)
  const started = performance.now()
  const { status } = spawnSync(process.execPath, [launcher, ...words], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, KEN_HOME: `${folder}-home` },
  })
  if (status !== 0) process.exit(status ?? 1)
  console.log(`(${((performance.now() - started) / 1000).toFixed(2)} s)`)
}

if (!process.argv.includes('--keep')) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const database = join(folder, 'shop.duckdb')
if (!existsSync(database)) await makeShop(database)
ken('init-context', 'shop', '--database', 'duckdb:shop.duckdb')
ken('sync')
ken('sync')
console.log(`\nLook at ${join(folder, 'databases')} and ${join(folder, 'llms.txt')}.`)
