/**
 * CPU time of `ken lsp` per key, compared with a server that only keeps documents: `node bench/lsp.ts [keys]`. One file
 * of 2,000 lines, a record of 1,000 decisions, a key every 80 ms. Then the same
 * with a server that does not wait for a pause, so that it checks every key: the cost of one check. Linux only.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Editor, editorUser, startEditor } from '../test/lsp-client.ts'
import { openCorpus } from './decision-corpus.ts'

const KEYS = Number(process.argv[2] ?? 200)
const LINES = 2_000
const DECISIONS = 1_000
// Long enough for a check to end on a busy machine, so that each key is checked separately.
const GAP = 80
const LIMIT_MS = 10
const TYPED = [
  '  const total = items.reduce((sum, item) => sum + item.price, 0)',
  '// keep the rows of the last batch',
  '  await store.write(key, value)',
]

const user = editorUser()
try {
  const text = Array.from({ length: LINES }, (_, i) =>
    i % 4 === 0 ? `// row ${i} of the table` : `  const value${i} = compute(${i}, 'text')`,
  ).join('\n')
  user.write('src/large.ts', `${text}\n`)
  user.ken('init', '--name', 'large')
  const record = join(user.home, 'projects', readdirSync(join(user.home, 'projects'))[0]!)
  mkdirSync(join(record, 'decisions'), { recursive: true })
  const corpus = openCorpus(7)
  for (let num = 2; num <= DECISIONS; num++) {
    const { name, text: decision } = corpus.decision(num)
    writeFileSync(join(record, 'decisions', name), decision)
  }
  user.git('add', '--all')
  user.git('commit', '--quiet', '--message', 'start')
  const bare = [process.execPath, join(import.meta.dirname, 'lsp/bare-server.ts')]
  console.log('server                         keys   p50 ms  p95 ms  max ms   memory MB')
  const peer = await measure('bare', text, { command: bare })
  const imported = `import { createClient } from 'redis'\n${text}`
  const own = await measure('ken lsp, a rejected import', imported, {})
  await measure('every key judged', text, { delay: 0 })
  await measure('every key judged, an import', imported, { delay: 0 })
  console.log(`p95 ${own.toFixed(1)} ms, ${(own / peer).toFixed(1)} times the bare server; limit ${LIMIT_MS} ms`)
  process.exitCode = own > LIMIT_MS ? 1 : 0
} finally {
  user.remove()
}

async function measure(
  name: string,
  text: string,
  more: { command?: readonly string[]; delay?: number },
): Promise<number> {
  const editor = await startEditor({ home: user.home, folder: user.repo, ...more })
  try {
    editor.open('src/large.ts', `${text}\n`)
    await untilQuiet(editor)
    const times: number[] = []
    const word = TYPED.join('\n')
    for (let i = 0; i < KEYS; i++) {
      const line = LINES / 2 + word.slice(0, i % word.length).split('\n').length - 1
      const column =
        i % word.length === 0
          ? 0
          : word
              .slice(0, i % word.length)
              .split('\n')
              .at(-1)!.length
      const before = cpuOf(editor.pid)
      editor.type('src/large.ts', line, column, word[i % word.length]!)
      await sleep(GAP)
      times.push(cpuOf(editor.pid) - before)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${editor.pid}/status`, 'utf8'))?.[1]) / 1024
    const figures = [at(0.5), at(0.95), times.at(-1)!].map((ms) => ms.toFixed(1).padStart(7)).join(' ')
    console.log(`${name.padEnd(28)} ${String(KEYS).padStart(6)}  ${figures}   ${rss.toFixed(0).padStart(7)}`)
    return at(0.95)
  } finally {
    await editor.close()
  }
}

/** CPU time of a process and its threads, in milliseconds. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).reduce((sum, task) => {
    const file = `${tasks}/${task}/schedstat`
    return existsSync(file) ? sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : sum
  }, 0)
}

/** Waits until the server has opened the record and is idle. */
async function untilQuiet({ pid }: Editor): Promise<void> {
  let [quiet, last] = [0, cpuOf(pid)]
  while (quiet < 6) {
    await sleep(500)
    const now = cpuOf(pid)
    quiet = now - last < 2 ? quiet + 1 : 0
    last = now
  }
}
