import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import type { Environment } from './settings.ts'

/** Returns a function that opens texts in the user's editor; undefined if the environment names none. */
export function editorOf(environment: Environment): ((text: string, name: string) => Promise<string>) | undefined {
  const editor = [environment['VISUAL'], environment['EDITOR']].find((command) => command?.trim())
  return editor === undefined ? undefined : async (text, name) => editText(editor, text, name)
}

function editText(editor: string, text: string, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ken-edit-'))
  // The editor handles Ctrl-C while it runs.
  const leave = (): void => {}
  process.on('SIGINT', leave)
  try {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    // The value is a command line, e.g. `code --wait`.
    const ran =
      process.platform === 'win32'
        ? spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
        : spawnSync('sh', ['-c', `${editor} "$1"`, 'ken', path], { stdio: 'inherit' })
    if (ran.status !== 0)
      throw new AppError('unavailable', `The editor \`${editor}\` failed, so nothing was changed.`, {
        hint: 'Check $VISUAL and $EDITOR.',
      })
    return readFileSync(path, 'utf8')
  } finally {
    process.off('SIGINT', leave)
    rmSync(folder, { recursive: true, force: true })
  }
}
