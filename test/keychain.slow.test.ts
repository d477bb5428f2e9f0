import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0
const NEEDED = ['dbus-run-session', 'gnome-keyring-daemon']
const MISSING = NEEDED.filter((program) => !isThere(program))

if (process.platform !== 'linux' || MISSING.length > 0)
  test.skip(`a real Secret Service: skipped, because ${MISSING.join(' and ') || 'Linux'} is not here`)
else
  test('a key is stored by a real Secret Service, found by the next process, in no file of Ken’s, and removed', () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-keychain-')))
    try {
      const env = {
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        HOME: place,
        XDG_DATA_HOME: join(place, 'data'),
        XDG_RUNTIME_DIR: join(place, 'run'),
        KEN_HOME: join(place, 'ken'),
        KEN_MODEL: 'anthropic:m',
        KEN_MODEL_URL: 'http://127.0.0.1:1/v1',
      }
      mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 })
      const script = join(place, 'session.sh')
      const ken = `"${process.execPath}" "${KEN}"`
      writeFileSync(
        script,
        `printf 'password\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
printf 'm-key-4711' | ${ken} keys set anthropic --stdin
${ken} keys
${ken} debug
${ken} keys remove anthropic
${ken} keys
${ken} keys remove anthropic
`,
      )
      const said = execFileSync('dbus-run-session', ['--', 'sh', script], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const told = [
        'The key of anthropic is in the keychain.',
        /^anthropic +keychain$/m,
        // The key was found: only the server at that address is missing.
        /anthropic:m cannot be reached at 127\.0\.0\.1:1/,
        'The key of anthropic is no longer in the keychain.',
        'No provider has a key.',
        'The keychain has no key of anthropic.',
      ]
      for (const line of told) expect(said).toMatch(line)
      expect(said).not.toContain('m-key-4711')
      expect(textsIn(env.KEN_HOME)).not.toContain('m-key-4711')
    } finally {
      rmSync(place, { recursive: true, force: true, maxRetries: 5 })
    }
  }, 60_000)

const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
