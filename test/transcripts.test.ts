import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// A transcript is a session at a terminal: `$ command`, then its output behind `> `, then `[exit N]` where N is not 0.
// `KEN_TRANSCRIPTS=write npx vitest run test/transcripts.test.ts` writes what the commands really print.
const FOLDER = join(import.meta.dirname, 'transcripts')
const KEN = join(import.meta.dirname, '..', 'bin', 'ken.js')
const isWriting = process.env['KEN_TRANSCRIPTS'] === 'write'

test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))(
  '%s',
  (name) => {
    const path = join(FOLDER, name)
    const wanted = readFileSync(path, 'utf8')
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-transcript-')))
    try {
      const said = replay(wanted, place)
      if (isWriting) writeFileSync(path, said)
      else expect(said).toBe(wanted)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
  120_000,
)

function replay(transcript: string, place: string): string {
  const repo = join(place, 'repo')
  mkdirSync(repo)
  execFileSync('git', ['init', '-q', '-b', 'main', repo])
  const lines: string[] = []
  for (const line of transcript.split('\n')) {
    if (!line.startsWith('$ ')) {
      if (!line.startsWith('>') && !line.startsWith('[exit')) lines.push(line)
      continue
    }
    lines.push(line, ...run(line.slice(2), place, repo))
  }
  return lines.join('\n')
}

function run(command: string, place: string, cwd: string): string[] {
  const ran = spawnSync('bash', ['-c', `ken() { "${process.execPath}" "${KEN}" "$@"; }\n${command}`], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: place,
      KEN_HOME: join(place, 'home'),
      KEN_TELEMETRY: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
      LC_ALL: 'C.UTF-8',
    },
  })
  const printed = plain(`${ran.stdout}${ran.stderr}`, place).trimEnd()
  const output = printed === '' ? [] : printed.split('\n').map((line) => `> ${line}`.trimEnd())
  return ran.status === 0 ? output : [...output, `[exit ${ran.status}]`]
}

/** What differs from run to run: folders, ids, times. */
const plain = (text: string, place: string): string =>
  text
    .replaceAll(place, '/place')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ULID')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?/g, 'TIME')
    .replace(/\b20\d\d-\d{2}-\d{2}\b/g, 'DATE')
