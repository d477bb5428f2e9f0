/**
 * Measures the memory of MCP servers on one large index: `npm run bench:servers [-- --documents 10000,40000 --clients
 * 1,2,6 --beside path/to/older/bin/ken.js --keep]`. Each client starts `ken serve --stdio` as published, as coding agents do, and searches. Prints the
 * memory of one server (RSS, its peak, and PSS, which counts shared memory once) and of all together, after the upkeep
 * by one of them, and that of a bare Node process. Linux only, because only `/proc` reports the shared part.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { makeQueries, writeCorpus } from './index/corpus.ts'
import { buildPackage } from './index/package.ts'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000,40000' },
    clients: { type: 'string', default: '1,2,6' },
    queries: { type: 'string', default: '60' },
    /** Waits until the first server has indexed the folders and watches them. */
    seconds: { type: 'string', default: '30' },
    /** An older build, measured in the same run. */
    beside: { type: 'string' },
    keep: { type: 'boolean' },
  },
})
const place = mkdtempSync(join(tmpdir(), 'ken-servers-bench-'))
const builds = { now: await buildPackage(join(place, 'package')), ...(values.beside && { before: values.beside }) }

console.log(`bare Node: ${megabytes((await bareNode()).rss)} MB`)
console.log(
  '\n| documents | build | clients | RSS of one, MB | its peak | PSS of all together | CPU s of one to answer first |',
)
console.log('|---|---|---|---|---|---|---|')
for (const documents of numbers(values.documents)) {
  const corpus = join(place, `corpus-${documents}`)
  mkdirSync(corpus)
  writeCorpus(corpus, documents)
  for (const [build, ken] of Object.entries(builds)) await measure(build, ken, corpus, documents)
}
if (values.keep) console.log(place)
else rmSync(place, { recursive: true, force: true })

async function measure(build: string, ken: string, corpus: string, documents: number): Promise<void> {
  const home = join(place, `home-${documents}-${build}`)
  const environment = { ...process.env, HOME: home, KEN_HOME: home, KEN_TELEMETRY: '0' } as Record<string, string>
  execFileSync(process.execPath, [ken, 'collection', 'add', 'bench', corpus], { cwd: corpus, env: environment })
  for (const clients of numbers(values.clients)) {
    const started = await Promise.all(Array.from({ length: clients }, () => connect(ken, environment, corpus)))
    let first = 0
    for (const query of makeQueries(Number(values.queries))) {
      for (const { client } of started)
        await client.callTool({ name: 'memory_query', arguments: { query, workspace: 'all' } })
      if (first === 0) first = cpuOf(started[0]!.pid)
    }
    await new Promise((resolve) => setTimeout(resolve, Number(values.seconds) * 1_000))
    const used = started.map(({ pid }) => memoryOf(pid))
    const all = used.reduce((sum, { pss }) => sum + pss, 0)
    console.log(
      `| ${documents} | ${build} | ${clients} | ${megabytes(used[0]!.rss)} | ${megabytes(used[0]!.peak)} | ${megabytes(all)} | ${first.toFixed(2)} |`,
    )
    await Promise.all(started.map(({ client }) => client.close()))
  }
}

async function connect(ken: string, env: Record<string, string>, cwd: string) {
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [ken, 'serve', '--stdio'],
    cwd,
    env,
    stderr: 'ignore',
  })
  await client.connect(transport)
  return { client, pid: transport.pid! }
}

async function bareNode() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  const memory = memoryOf(child.pid!)
  child.kill()
  return memory
}

/** In kilobytes. */
function memoryOf(pid: number): { rss: number; peak: number; pss: number } {
  const [status, rollup] = ['status', 'smaps_rollup'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
  const line = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)![1])
  return { rss: line(status!, 'VmRSS'), peak: line(status!, 'VmHWM'), pss: line(rollup!, 'Pss') }
}

/** Seconds, of all threads. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function megabytes(kilobytes: number): string {
  return (kilobytes / 1024).toFixed(0)
}

function numbers(list: string): number[] {
  return list.split(',').map(Number)
}
