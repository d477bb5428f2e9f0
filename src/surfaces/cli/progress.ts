import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { displayWidth, fitWidth, padWidth } from '../../kernel/domain/view/width.ts'
import type { ProgressPart } from '../../kernel/ports/call.ts'
import type { Context } from '../../operations/context.ts'

export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): boolean
}

export interface Progress {
  readonly say: Context['progress']
  /** Erases the drawn lines, even if the work failed or was stopped midway. */
  clear(): void
}

/**
 * On a terminal, shows one bar, or one for each part of the work, erased when all is done. Elsewhere, prints an
 * occasional line for work that has parts. A message without a count is a line that stays.
 */
export function showProgress(stream: ProgressStream): Progress {
  const draw = stream.isTTY ? drawBars(stream) : undefined
  const say = sayLines((line) => stream.write(`${line}\n`))
  const told: Context['progress'] = (said, done, total, given) => {
    const message = visibleLine(said)
    const parts = given?.map((part) => ({ ...part, name: visibleLine(part.name), at: visibleLine(part.at) }))
    if (total === 0 && done === 0 && parts === undefined) {
      draw?.([])
      stream.write(`${message}\n`)
    } else if (draw === undefined) say(parts ?? [])
    else if (parts !== undefined) draw(parts.every(isEnded) ? [] : barsOf(parts))
    else draw(total > 0 && done >= total ? [] : [total > 0 ? `${barOf(done, total)} ${message}` : `${done} ${message}`])
  }
  return { say: told, clear: () => draw?.([]) }
}

const WIDTH = 24
const MOST_BARS = 12

const isEnded = ({ done, total }: ProgressPart): boolean => total !== undefined && done >= total

const barOf = (done: number, total: number): string =>
  `[${'█'.repeat(Math.round((WIDTH * done) / total)).padEnd(WIDTH)}] ${done}/${total}`

/** One line per part; active parts first if there are more than fit. */
function barsOf(parts: readonly ProgressPart[]): readonly string[] {
  const width = Math.max(...parts.map(({ name }) => displayWidth(name)))
  const shown =
    parts.length <= MOST_BARS
      ? parts
      : parts.toSorted((a, b) => Number(isEnded(a)) - Number(isEnded(b))).slice(0, MOST_BARS)
  const bars = shown.map(({ name, done, total, at }) => {
    const state = total === undefined ? 'listing' : total === 0 ? 'up to date' : `${barOf(done, total)} ${at}`
    return `${padWidth(name, width)}  ${state}`.trimEnd()
  })
  return parts.length > shown.length ? [...bars, `and ${parts.length - shown.length} more`] : bars
}

/** Replaces the lines drawn last. Lines are truncated, because a wrapped line could not be erased. */
function drawBars(stream: ProgressStream): (lines: readonly string[]) => void {
  let drawn: readonly string[] = []
  return (lines) => {
    const cut = lines.map((line) => fitWidth(line, (stream.columns || 80) - 1))
    if (cut.join('\n') === drawn.join('\n')) return
    const back = drawn.length > 1 ? `\x1b[${drawn.length - 1}A` : ''
    stream.write(`\r${back}\x1b[J${cut.join('\n')}`)
    drawn = cut
  }
}

const QUARTERS = 4
const MANY = 100

/** Prints the total as soon as it is known, and progress at every quarter if there are many items. */
function sayLines(write: (line: string) => void): (parts: readonly ProgressPart[]) => void {
  const told = new Map<string, number>()
  return (parts) => {
    for (const { name, done, total } of parts) {
      if (total === undefined || total === 0) continue
      const quarter = Math.floor((QUARTERS * done) / total)
      const before = told.get(name)
      told.set(name, quarter)
      if (before === undefined) write(`${name}: ${total} to fetch`)
      else if (quarter > before && total >= MANY) write(`${name}: ${done} of ${total}`)
    }
  }
}
