import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

// A transcript is a terminal session: `$ command`, then its output after `> `, its standard error after `! `, then
// `[exit N]` if N is not 0. `> ...` and `! ...` match any number of lines. README.md explains how to write them.
const FOLDER = join(import.meta.dirname, 'transcripts')
const isWriting = process.env['KEN_TRANSCRIPTS'] === 'write'

test.concurrent.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))(
  '%s',
  async (name) => {
    const path = join(FOLDER, name)
    const wanted = readFileSync(path, 'utf8')
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-transcript-')))
    try {
      const said = await replay(wanted, place)
      if (isWriting) writeFileSync(path, said)
      else expect(said).toBe(wanted)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
  120_000,
)

async function replay(transcript: string, place: string): Promise<string> {
  const repo = join(place, 'repo')
  mkdirSync(repo)
  execFileSync('git', ['init', '-q', '-b', 'main', repo])
  const [before, ...steps] = `\n${transcript}`.split(/\n(?=\$ )/)
  const lines = before!.slice(1) === '' ? [] : [before!.slice(1)]
  for (const step of steps) {
    const [command, ...rest] = step.split('\n')
    const wanted = rest.filter((line) => PRINTED.test(line))
    const printed = await run(command!.slice(2), place, repo)
    lines.push(command!, ...(isLike(printed, wanted) ? wanted : printed), ...rest.filter((line) => !PRINTED.test(line)))
  }
  return lines.join('\n')
}

const PRINTED = /^(?:[>!]|\[exit)/

/** Whether the lines match; `...` matches any lines of its stream. */
function isLike(printed: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted
  if (first === undefined) return printed.length === 0
  if (first !== '> ...' && first !== '! ...') return printed[0] === first && isLike(printed.slice(1), rest)
  const most = printed.findIndex((line) => line[0] !== first[0])
  const ends = Array.from({ length: (most < 0 ? printed.length : most) + 1 }, (_, end) => end)
  return ends.some((end) => isLike(printed.slice(end), rest))
}

async function run(command: string, place: string, cwd: string): Promise<string[]> {
  const script = `ken() { "${process.execPath}" "${KEN}" "$@"; }\n${command}`
  const ran = await new Promise<{ stdout: string; stderr: string; status: number }>((done) => {
    const child = execFile(
      'bash',
      ['-c', script],
      {
        cwd,
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          HOME: place,
          KEN_HOME: join(place, 'home'),
          KEN_TELEMETRY: '0',
          GIT_CONFIG_GLOBAL: '/dev/null',
          LC_ALL: 'C.UTF-8',
          FIXTURES: join(import.meta.dirname, 'fixtures'),
        },
      },
      (_error, stdout, stderr) => done({ stdout, stderr, status: child.exitCode ?? -1 }),
    )
    child.stdin?.end()
  })
  const output = [...marked('>', plain(ran.stdout, place)), ...marked('!', plain(ran.stderr, place))]
  return ran.status === 0 ? output : [...output, `[exit ${ran.status}]`]
}

const marked = (sign: string, text: string): string[] =>
  text.trimEnd() === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => `${sign} ${line}`.trimEnd())

/** Replaces what differs between runs: folders, ids, times. */
const plain = (text: string, place: string): string =>
  text
    .replaceAll(place, '/place')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ULID')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?/g, 'TIME')
    .replace(/\b20\d\d-\d{2}-\d{2}\b/g, 'DATE')
