import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addressOf, freePort, startPostgres } from '../../test/postgres/server.ts'

export interface WalkedPath {
  readonly name: string
  /** Files with at least one called function. */
  readonly files: number
  /** Entered files that are not common to all paths. */
  readonly ownFiles: number
  readonly functions: number
  /** How often a reader who follows the calls returns to a file left before. */
  readonly hopsBack: number
  /** Rooms with an entered file. */
  readonly rooms: number
  /** The files in the order in which they are entered first. */
  readonly walk: readonly string[]
}

const PATHS: Readonly<Record<string, readonly string[]>> = {
  propose: ['propose', 'Cache hot reads in Redis', '--rationale', 'Fewer round trips to the database.'],
  check: ['check', 'Use Redis as the hot-read cache'],
  query: ['query', 'why did we move off the old queue'],
  harvest: ['harvest'],
  'sync one table': ['sync', '--only', 'shop:orders'],
  'ask, no model': ['ask', 'How many orders are there?'],
}

/** Runs real commands, each in a separate home, and counts the source that each of them enters. */
export async function walkPaths(root: string): Promise<WalkedPath[]> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-shape-')))
  try {
    const ken = openPlace(root, place)
    const walks = Object.entries(PATHS).map(([name, words]) => ({ name, order: ken(words) }))
    walks.push({ name: 'check on a team server', order: await walkTeamRequest(root, place) })
    const entered = walks.map(({ order }) => new Set(order))
    return walks.map(({ name, order }) => ({
      name,
      files: new Set(order).size,
      ownFiles: [...new Set(order)].filter((file) => entered.some((files) => !files.has(file))).length,
      functions: order.length,
      hopsBack: hopsBack(order),
      rooms: new Set(order.map((file) => file.split('/')[1])).size,
      walk: [...new Set(order)],
    }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Returns the file of every function that a command calls, in order of the first calls. */
type Ken = (words: readonly string[]) => string[]

function openPlace(root: string, folder: string): Ken {
  const [home, shop, trace] = [join(folder, 'home'), join(folder, 'shop'), join(folder, 'trace')]
  mkdirSync(join(home, '.claude/projects/-shop'), { recursive: true })
  mkdirSync(shop)
  execFileSync('git', ['init', '-q', shop])
  makeDatabase(join(shop, 'shop.db'))
  writeFileSync(join(home, '.claude/projects/-shop/one.jsonl'), transcript(shop))
  const ken: Ken = (words) => {
    writeFileSync(trace, '')
    execFileSync(process.execPath, [join(root, 'src/app/main.ts'), ...words], {
      cwd: shop,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        KEN_HOME: join(home, '.ken'),
        ...tracing(root, trace),
      },
    })
    return filesOf(trace)
  }
  ken(['init', 'shop', '--demo'])
  ken(['init', 'shop', '--context', '--database', 'shop=sqlite:shop.db'])
  ken(['write', 'We moved off the old queue because messages outlived orders.'])
  ken(['update'])
  return ken
}

function tracing(root: string, trace: string) {
  const hook = pathToFileURL(join(import.meta.dirname, 'trace-calls.ts')).href
  return { SHAPE_ROOT: root, SHAPE_TRACE: trace, NODE_OPTIONS: `--import ${hook}`, NODE_NO_WARNINGS: '1' }
}

/** The file of each call in the trace. */
const filesOf = (trace: string): string[] =>
  readFileSync(trace, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((place) => place.slice(0, place.lastIndexOf(':')))

/** The source that a running `ken server` enters for one check over HTTP, without its startup. */
async function walkTeamRequest(root: string, folder: string): Promise<string[]> {
  const postgres = await startPostgres()
  try {
    const [trace, port] = [join(folder, 'team-trace'), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const main = join(root, 'src/app/main.ts')
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      DATABASE_URL: addressOf(postgres.port).url,
      KEN_PUBLIC_URL: url,
      ...tracing(root, trace),
    }
    const words = ['server', 'setup', '--organisation', 'Acme', '--email', 'ada@acme.example', '--project', 'shop']
    const told = execFileSync(process.execPath, [main, ...words], { env, encoding: 'utf8' })
    const server = spawn(process.execPath, [main, 'server', '--port', String(port)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(server, 'exit')
    try {
      await new Promise<void>((isUp, failed) => {
        server.stderr.on('data', (chunk) => String(chunk).includes('Ken serves') && isUp())
        server.once('exit', () => failed(new Error('ken server ended before it served')))
      })
      writeFileSync(trace, '')
      server.kill('SIGUSR2')
      await fetch(`${url}/v1/check_decision`, {
        method: 'POST',
        headers: { authorization: `Bearer ${/ken_p_\w+/.exec(told)![0]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ proposal: 'Use Redis as the hot-read cache' }),
      }).then(async (answer) => {
        if (!answer.ok) throw new Error(`the team server answered ${answer.status}: ${await answer.text()}`)
      })
      return filesOf(trace)
    } finally {
      server.kill('SIGKILL')
      await ended
    }
  } finally {
    await postgres.stop()
  }
}

function hopsBack(order: readonly string[]): number {
  const seen = new Set<string>()
  return order.filter((file, i) => {
    const isBack = seen.has(file) && file !== order[i - 1]
    seen.add(file)
    return isBack
  }).length
}

function makeDatabase(path: string): void {
  const statements = `
    CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL, note TEXT);
    INSERT INTO orders VALUES (1, 12.5, 'gift'), (2, 3.25, NULL);`
  const program = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec(process.argv[2])`
  execFileSync(process.execPath, ['-e', program, path, statements], { env: { NODE_NO_WARNINGS: '1' } })
}

function transcript(cwd: string): string {
  const record = (type: string, content: unknown, uuid: string, parentUuid: string | null) =>
    JSON.stringify({
      parentUuid,
      isSidechain: false,
      uuid,
      timestamp: new Date().toISOString(),
      sessionId: '5e551011-0000-4000-8000-000000000001',
      cwd,
      type,
      message: { role: type, content },
    })
  const answer = [{ type: 'text', text: 'The flaky test waits for a clock; I gave it one.' }]
  return `${record('user', 'Why is the checkout test flaky?', 'a', null)}\n${record('assistant', answer, 'b', 'a')}\n`
}
