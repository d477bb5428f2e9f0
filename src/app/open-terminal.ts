import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { AppError } from '../kernel/domain/errors.ts'
import { textOf } from '../kernel/domain/view/styled.ts'
import { screenView } from '../kernel/domain/view/view.ts'
import { displayWidth } from '../kernel/domain/view/width.ts'
import { readStdin } from '../kernel/system/read-stdin.ts'
import { hasColour, type OutputFlags } from '../surfaces/cli/output-flags.ts'
import type { Progress } from '../surfaces/cli/progress.ts'
import type { Terminal } from '../surfaces/cli/run.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { faultTracer } from './fault-tracer.ts'
import type { Environment } from './settings.ts'

const USUAL_COLUMNS = 80

/** Standard input, output and error for commands. Nothing is written over a visible progress bar. */
export function openTerminal(flags: OutputFlags, environment: Environment, progress: Progress): Terminal {
  const colours = {
    out: hasColour(flags.color, process.stdout, environment),
    err: hasColour(flags.color, process.stderr, environment),
  }
  // The prompts draw themselves and read only the environment.
  if (flags.color === 'never') process.env['NO_COLOR'] = '1'
  return {
    out(text) {
      progress.clear()
      writeText(process.stdout, text, { hasColour: colours.out })
    },
    page(text) {
      progress.clear()
      if (textOf(text) === '') return
      writeText({ write: (shown: string) => showPaged(shown, environment) }, text, { hasColour: colours.out })
    },
    err(text) {
      progress.clear()
      writeText(process.stderr, typeof text === 'string' ? withRedName(text) : text, { hasColour: colours.err })
    },
    view: (now) =>
      screenView({
        columns: process.stdout.isTTY ? process.stdout.columns || USUAL_COLUMNS : undefined,
        now,
        hasColour: colours.out,
        verbose: flags.verbose,
      }),
    trace(thrown) {
      progress.clear()
      faultTracer(environment)?.(thrown)
    },
    readText(name) {
      try {
        return name === '-' ? readStdin() : readFileSync(name, 'utf8')
      } catch {
        throw new AppError('not_found', `Cannot read ${name === '-' ? 'standard input' : name}.`)
      }
    },
  }
}

const NAME = 'ken:'

const withRedName = (text: string) =>
  text.startsWith(`${NAME} `)
    ? [
        { text: NAME, tones: ['bad' as const] },
        { text: text.slice(NAME.length), tones: [] },
      ]
    : text

/**
 * Shows text, through $PAGER (less if unset) if it is longer than the screen. Text that a pager does not accept is
 * written directly.
 */
function showPaged(text: string, environment: Environment): void {
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

/** Whether a text fits the screen, with space for the prompt that follows. */
function fits(text: string): boolean {
  const { rows = 24, columns = 80 } = process.stdout
  const lines = text.trimEnd().split('\n')
  if (lines.length >= rows) return false
  const width = (line: string): number => displayWidth(stripVTControlCharacters(line))
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0) < rows
}
