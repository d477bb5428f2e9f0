import { AppError } from '../../kernel/domain/errors.ts'

export interface OutputFlags {
  readonly color: 'auto' | 'always' | 'never'
  readonly verbose: boolean
}

const CHOICES = ['auto', 'always', 'never'] as const

/**
 * Removes `--color` and `--verbose` from a line: every command accepts them, in any position. After `--` there are only
 * arguments.
 */
export function takeOutputFlags(line: readonly string[]): OutputFlags & { readonly rest: readonly string[] } {
  const end = line.includes('--') ? line.indexOf('--') : line.length
  let color: OutputFlags['color'] = 'auto'
  let verbose = false
  const rest: string[] = []
  for (let at = 0; at < end; at++) {
    const word = line[at]!
    const given = /^--colou?r(?:=(.*))?$/s.exec(word)
    if (word === '--no-color' || word === '--no-colour') color = 'never'
    else if (word === '--verbose') verbose = true
    else if (given === null) rest.push(word)
    else if (given[1] !== undefined) color = choice(given[1])
    else color = at + 1 < end && isChoice(line[at + 1]!) ? (line[++at] as OutputFlags['color']) : 'always'
  }
  return { color, verbose, rest: [...rest, ...line.slice(end)] }
}

/** The flag decides, then the environment (FORCE_COLOR before NO_COLOR, as in Node), then whether it is a terminal. */
export function hasColour(
  color: OutputFlags['color'],
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (color !== 'auto') return color === 'always'
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined) return !/^(?:0|false)$/i.test(forced)
  return !environment['NO_COLOR'] && environment['TERM'] !== 'dumb' && stream.isTTY === true
}

const isChoice = (word: string): word is OutputFlags['color'] => (CHOICES as readonly string[]).includes(word)

function choice(word: string): OutputFlags['color'] {
  if (isChoice(word)) return word
  throw new AppError('invalid_input', `--color takes ${CHOICES.join(', ')}, not "${word}".`)
}
