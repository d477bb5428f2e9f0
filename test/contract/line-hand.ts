import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClientHand } from './harvester.contract.ts'

/** The folder of recorded sessions of one client. */
export const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/sessions', name)

/** Times after every fixture, one second apart. */
export function clock(): () => number {
  let now = Date.parse('2027-01-01T00:00:00.000Z')
  return () => (now += 1000)
}

interface LineWriter {
  readonly session: string
  readonly file: string
  readonly secrets: readonly string[]
  lines(user: string, assistant: string): readonly object[]
}

/** A client that appends lines to one file. */
export function lineHand(options: LineWriter): ClientHand {
  const text = (user: string, assistant: string): string =>
    options
      .lines(user, assistant)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  const unfinished = text('And then?', 'Then it is done.')
  const half = Math.floor(unfinished.indexOf('\n') / 2)
  return {
    session: options.session,
    say: (user, assistant) => appendFile(options.file, text(user, assistant)),
    begin: () => appendFile(options.file, unfinished.slice(0, half)),
    finish: () => appendFile(options.file, unfinished.slice(half)),
    damage: () => appendFile(options.file, '{"this": is no JSON\n'),
    hide: (secret) => plant(options.secrets, secret),
  }
}

/** Writes `secret` to files that a harvester must not read. */
export async function plant(paths: readonly string[], secret: string): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify({ token: secret, sessionId: secret, title: secret }))
  }
}
