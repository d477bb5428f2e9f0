import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEN } from '../ken-program.ts'
import { openUpkeepDesk, type UpkeepDesk } from '../upkeep/desk.ts'
import { start } from '../upkeep/process.ts'
import { until } from '../upkeep/until.ts'
import { ANCHORS, anchorWord } from './anchors.ts'
import { openChangingFiles } from './changing-files.ts'

export interface SoakReport {
  readonly changes: number
  readonly searches: number
  readonly harvests: number
  readonly cycles: number
  /** Errors of any process. */
  readonly errors: readonly string[]
  /** Words that were not found although their document existed. */
  readonly lost: readonly string[]
  /** Words of removed versions that were still found. */
  readonly stale: readonly string[]
  /** By process: resident megabytes and open files, early and at the end. Empty if the system does not report them. */
  readonly use: Readonly<Record<string, { readonly early: Use; readonly late: Use }>>
}

export interface Use {
  readonly megabytes: number
  readonly files: number
}

const CHANGE_EVERY = 150
// Changes between two rewrites of the whole index, which must not affect other processes.
const RECLAIM_EVERY = 20
const SETTLE = 180_000

/**
 * Runs three processes that watch, harvest and search for `seconds` while files change; then checks that the index is
 * complete.
 */
export async function soak(seconds: number, say: (line: string) => void = () => {}): Promise<SoakReport> {
  const desk = openUpkeepDesk()
  try {
    return await soakIn(desk, seconds, say)
  } finally {
    await desk.close()
  }
}

async function soakIn(desk: UpkeepDesk, seconds: number, say: (line: string) => void): Promise<SoakReport> {
  const files = openChangingFiles(desk.home, 7)
  await prepare(desk, files.docs)
  const worker = join(import.meta.dirname, 'worker.ts')
  const at = { cwd: desk.home, env: desk.environment }
  const processes = {
    watch: start([KEN, 'watch', '--json'], at),
    harvest: start([worker, 'harvest'], at),
    search: start([worker, 'search'], at),
  }
  const samples: Record<string, Use[]> = { watch: [], harvest: [], search: [] }
  const { space } = await desk.context().upkeep()
  const failed: string[] = []
  const end = Date.now() + seconds * 1000
  for (let round = 0; Date.now() < end; round++) {
    files.change()
    if (round % 7 === 0) for (const [name, { pid }] of Object.entries(processes)) samples[name]!.push(...useOf(pid))
    if (round % RECLAIM_EVERY === 0) await space.reclaim().catch((error: unknown) => failed.push(String(error)))
    if (round % 400 === 0) say(`${Math.round((end - Date.now()) / 1000)} s left, ${round} changes`)
    await new Promise((resolve) => setTimeout(resolve, CHANGE_EVERY))
  }
  const { present, absent, changes } = files.expected()
  const missing = () => wordsFound(desk, present, false)
  const left = () => wordsFound(desk, absent, true)
  await until(
    'the index to be as the files are',
    async () => (await missing()).length + (await left()).length === 0,
    SETTLE,
  ).catch(() => undefined)
  const [lost, stale] = [await missing(), await left()]
  const [watched, harvested, searched] = await Promise.all([
    processes.watch.end('SIGINT'),
    processes.harvest.end('SIGTERM'),
    processes.search.end('SIGTERM'),
  ])
  const [cycle, harvest, search] = [watched, harvested, searched].map(({ out }) => readReport(out))
  const complaints = [watched, harvested, searched].flatMap(({ code, err }) => [
    ...(code === 0 ? [] : [`a process ended with ${code}`]),
    ...err.split('\n').filter((line) => line !== ''),
  ])
  return {
    changes,
    searches: search!.rounds ?? 0,
    harvests: harvest!.rounds ?? 0,
    cycles: cycle!.cycles ?? 0,
    errors: [
      ...failed,
      ...complaints,
      ...(cycle!.warnings ?? ['the watch said nothing']),
      ...(harvest!.errors ?? []),
      ...(search!.errors ?? []),
    ],
    lost: [...lost, ...(search!.lost ?? [])],
    stale,
    use: Object.fromEntries(
      Object.entries(samples)
        .filter(([, list]) => list.length >= 8)
        .map(([name, list]) => [
          name,
          {
            early: median(list.slice(list.length >> 2, list.length >> 1)),
            late: median(list.slice(-(list.length >> 2))),
          },
        ]),
    ),
  }
}

async function prepare(desk: UpkeepDesk, docs: string): Promise<void> {
  mkdirSync(join(desk.home, 'anchors'))
  for (let i = 0; i < ANCHORS; i++)
    writeFileSync(join(desk.home, 'anchors', `${i}.md`), `# Anchor ${i}\n\nHere lies ${anchorWord(i)}.\n`)
  await desk.set('upkeep.interval', '5')
  await desk.run('collection_add', { name: 'anchors', path: join(desk.home, 'anchors') })
  await desk.run('collection_add', { name: 'docs', path: docs })
  await desk.run('memory_update', {})
}

/** The words that are found, or those that are not. */
async function wordsFound(desk: UpkeepDesk, words: readonly string[], found: boolean): Promise<string[]> {
  const out: string[] = []
  for (const word of words) {
    const { results } = await desk.run('memory_search', { query: word, workspace: 'all', limit: 1 })
    // A removed word may be taken for a typo of an existing one.
    // The first question of a session is its title, which the snippet leaves out.
    const isFound = results.some((hit: { title: string; snippet: string }) =>
      `${hit.title}\n${hit.snippet}`.includes(word),
    )
    if (isFound === found) out.push(word)
  }
  return out
}

interface WorkerReport {
  readonly rounds?: number
  readonly cycles?: number
  readonly errors?: readonly string[]
  readonly warnings?: readonly string[]
  readonly lost?: readonly string[]
}

function readReport(out: string): WorkerReport {
  try {
    return JSON.parse(out) as WorkerReport
  } catch {
    return { errors: [`not a report: ${out.slice(0, 200)}`] }
  }
}

function useOf(pid: number): Use[] {
  try {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
    return [{ megabytes: Math.round(kilobytes / 1024), files: readdirSync(`/proc/${pid}/fd`).length }]
  } catch {
    return []
  }
}

function median(list: readonly Use[]): Use {
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!
  return { megabytes: middle(list.map(({ megabytes }) => megabytes)), files: middle(list.map(({ files }) => files)) }
}
