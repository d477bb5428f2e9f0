import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { plainText } from '../../core/trust/visible.ts'

/** What a person made of a template in their editor, without the lines that begin with #. Waits until it is closed. */
export function writeInEditor(editor: string, template: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ken-edit-'))
  const file = join(folder, 'DECISION.md')
  try {
    writeFileSync(file, template, { mode: 0o600 })
    open(editor, file)
    return withoutComments(plainText(readFileSync(file, 'utf8')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const withoutComments = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trim()

/** The shell takes it apart, because `$EDITOR` may hold arguments. Ctrl-C is the editor's as long as it runs. */
function open(editor: string, file: string): void {
  const leave = (): void => {}
  process.on('SIGINT', leave)
  try {
    const ran =
      process.platform === 'win32'
        ? spawnSync(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
        : spawnSync('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' })
    if (ran.status === 0) return
    throw new AppError('unavailable', `The editor \`${editor}\` could not be used; nothing was recorded.`, {
      hint: 'Name another in $VISUAL or $EDITOR, or give the text with --rationale.',
      ...(ran.error && { cause: ran.error }),
    })
  } finally {
    process.off('SIGINT', leave)
  }
}
