/**
 * Compares `grep_files` with `grep -rn` and ripgrep over the same files: `npm run bench:grep [-- --files 20000
 * --keep]`. Creates its own tree of about 5 KB a file, runs each search several times and compares the fastest runs.
 * The others print every line; grep_files returns at most 100 hits. Fails if it takes more than twice as long as
 * ripgrep.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rgPath } from '@vscode/ripgrep'
import { openKen } from '../src/app/open.ts'
import { grepFiles } from '../src/context/operations/grep-files.ts'
import { call } from '../src/operations/call.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '7' },
    keep: { type: 'boolean' },
  },
})
const LIMIT = 2
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-grep-bench-')))
const root = join(place, 'project')
const bytes = writeTree(join(root, 'docs'), Number(values.files))
writeFileSync(join(root, 'ken.yaml'), 'name: bench\n')
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
console.log(
  `${values.files} files, ${(bytes / 1e6).toFixed(0)} MB; load ${loadavg()[0]!.toFixed(1)}; fastest of ${values.runs}, milliseconds\n`,
)

const SEARCHES: readonly (readonly [
  name: string,
  input: { pattern: string; literal?: boolean; match_case?: boolean; context?: number },
  words: readonly string[],
])[] = [
  ['a rare literal', { pattern: 'Needle7', literal: true, match_case: true }, ['-F', 'Needle7']],
  [
    'the same, with 3 lines around',
    { pattern: 'Needle7', literal: true, match_case: true, context: 3 },
    ['-F', '-C3', 'Needle7'],
  ],
  ['any case', { pattern: 'nEEDLE7', literal: true }, ['-F', '-i', 'nEEDLE7']],
  ['a word', { pattern: String.raw`\bNeedle107\b`, match_case: true }, ['-w', 'Needle107']],
  [
    'a regular expression',
    { pattern: 'Needle[0-9]+ (stands|lies) here', match_case: true },
    ['-E', 'Needle[0-9]+ (stands|lies) here'],
  ],
  [
    'an expression without a literal',
    { pattern: '[A-Z][a-z]{5}[0-9]{3,}', match_case: true },
    ['-E', '[A-Z][a-z]{5}[0-9]{3,}'],
  ],
  ['a word on every page', { pattern: 'order', match_case: true }, ['order']],
  ['no match', { pattern: 'Haystack', literal: true, match_case: true }, ['-F', 'Haystack']],
]
console.log('| | grep_files | grep -rn | rg -n | to grep | to rg |\n|---|---|---|---|---|---|')
let slowest = 0
for (const [name, input, words] of SEARCHES) {
  const [own, grep, rg] = await fastest([
    async () => void (await call(ken.context({ origin: { surface: 'cli' }, cwd: root }), grepFiles, input)),
    async () => ran('grep', ['-rn', ...words, '.']),
    async () => ran(rgPath, ['-n', '--no-config', ...words.filter((word) => word !== '-E'), '.']),
  ])
  slowest = Math.max(slowest, own / rg)
  console.log(
    `| ${name} | ${own.toFixed(0)} | ${grep.toFixed(0)} | ${rg.toFixed(0)} | ${(own / grep).toFixed(2)} | ${(own / rg).toFixed(2)} |`,
  )
}
console.log(
  `\ngrep_files takes at most ${slowest.toFixed(2)} times as long as ripgrep; the limit is ${LIMIT}. Load ${loadavg()[0]!.toFixed(1)}.`,
)
await ken.close()
if (values.keep) console.log(place)
else rmSync(place, { recursive: true, force: true })
process.exitCode = slowest <= LIMIT ? 0 : 1

/** Alternates between the searches, so that a busy moment of the machine affects all of them. */
async function fastest(
  works: readonly [() => Promise<void>, () => Promise<void>, () => Promise<void>],
): Promise<[number, number, number]> {
  const best: [number, number, number] = [Infinity, Infinity, Infinity]
  for (let run = 0; run < Number(values.runs); run++) {
    for (const [i, work] of works.entries()) {
      const started = performance.now()
      await work()
      best[i] = Math.min(best[i]!, performance.now() - started)
    }
  }
  return best
}

/** Writes into a pipe: if output is discarded, grep stops at its first hit. */
function ran(command: string, words: readonly string[]): void {
  const { status, error } = spawnSync(command, words, {
    cwd: root,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error !== undefined || status === null || status > 1) throw error ?? new Error(`${command} ended with ${status}`)
}

/** Writes pages of made-up words; every hundredth contains a needle. Returns the bytes written. */
function writeTree(folder: string, files: number): number {
  let seed = 42
  const below = (n: number): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff) % n
  const parts = 'or der cus tom er pay ment ship in voice ac count re turn lo gin ta ble col umn va lue que ry'.split(
    ' ',
  )
  const words = Array.from({ length: 5_000 }, () =>
    Array.from({ length: 1 + below(4) }, () => parts[below(parts.length)]).join(''),
  )
  let written = 0
  for (let i = 0; i < files; i++) {
    const at = join(folder, `part-${i % 100}`, `section-${Math.floor(i / 100) % 10}`)
    mkdirSync(at, { recursive: true })
    const size = 500 + below(9_000)
    let text = `# Page ${i}\n\n`
    while (text.length < size)
      text += `${Array.from({ length: 8 + below(10) }, () => words[below(words.length)]).join(' ')}.\n`
    if (i % 100 === 7) text += `The Needle${i} stands here.\n`
    writeFileSync(join(at, `page-${i}.md`), text)
    written += text.length
  }
  return written
}
