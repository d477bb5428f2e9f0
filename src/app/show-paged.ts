import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from '../kernel/domain/view/width.ts'
import type { Environment } from './settings.ts'

/**
 * Shows text, through $PAGER (less if unset) if it is longer than the screen. Text that a pager does not accept is
 * written directly.
 */
export function showPaged(text: string, environment: Environment): void {
  const pager = environment['PAGER'] ?? 'less'
  const isWanted = process.stdout.isTTY && process.stdin.isTTY && !/^\s*(?:cat)?\s*$/.test(pager)
  if (!isWanted || process.platform === 'win32' || environment['TERM'] === 'dumb' || fits(text)) {
    process.stdout.write(text)
    return
  }
  // The pager handles Ctrl-C while it runs.
  const leave = (): void => {}
  process.on('SIGINT', leave)
  try {
    const ran = spawnSync('sh', ['-c', pager], {
      input: text,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', LV: '-c', ...environment },
    })
    if (ran.status === NOT_FOUND || ran.status === NOT_RUN || ran.error?.name === 'ENOENT') process.stdout.write(text)
  } finally {
    process.off('SIGINT', leave)
  }
}

const NOT_RUN = 126
const NOT_FOUND = 127

/** With space for the prompt that follows. */
function fits(text: string): boolean {
  const { rows = 24, columns = 80 } = process.stdout
  const lines = text.trimEnd().split('\n')
  if (lines.length >= rows) return false
  const width = (line: string): number => displayWidth(stripVTControlCharacters(line))
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0) < rows
}
