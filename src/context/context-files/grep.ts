import { readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { Redacted } from '../../kernel/ports/redactor.ts'
import type { FoundLine, FoundLines, LineSearch } from '../ports/context-files.ts'
import { runRipgrep } from './ripgrep.ts'

export interface GrepPlace {
  readonly folder: string
  readonly isShown: (path: string) => boolean
  readonly redact: (text: string) => Promise<Redacted>
  readonly milliseconds: number
  readonly signal: StopSignal | undefined
}

/**
 * Searches a folder: ripgrep over all of it finds the files; ripgrep over their text with masked secrets finds the
 * lines, so that no pattern can probe for a secret.
 */
export async function grepFolder(place: GrepPlace, search: LineSearch): Promise<FoundLines> {
  if (/[\n\0]/.test(search.pattern))
    throw new AppError('invalid_input', 'The pattern spans more than one line.', {
      hint: 'Search for one of the lines and ask for context.',
    })
  const candidates = (await filesWith(place, search)).filter(search.accepts).toSorted()
  const hits: FoundLine[] = []
  for await (const portion of portions(place, candidates)) {
    hits.push(...(await linesIn(portion, place, { ...search, limit: search.limit + 1 - hits.length })))
    if (hits.length > search.limit) break
  }
  const shown = hits.slice(0, search.limit)
  return { hits: shown, files: new Set(shown.map((hit) => hit.path)).size, more: hits.length > search.limit }
}

export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.ken', 'node_modules'])

const patternWords = ({ pattern, literal, matchCase }: LineSearch): readonly string[] => [
  '--crlf',
  '--engine=auto',
  ...(matchCase ? [] : ['--ignore-case']),
  ...(literal ? ['--fixed-strings'] : []),
  `--regexp=${pattern}`,
]

async function filesWith({ folder, milliseconds, signal }: GrepPlace, search: LineSearch): Promise<readonly string[]> {
  const skipped = [...SKIPPED_FOLDERS].map((name) => `--glob=!${name}`)
  // Skips files that .kenignore excludes; only the caller's rules decide which may be shown.
  const words = [
    '--files-with-matches',
    '--null',
    '--hidden',
    '--no-ignore',
    '--ignore-file=.kenignore',
    '--no-ignore-messages',
    ...skipped,
    ...patternWords(search),
    '--',
    './',
  ]
  const printed = await runRipgrep({ folder, words, milliseconds, signal })
  return printed
    .split('\0')
    .filter(Boolean)
    .map((path) => path.split(sep).join('/').replace(/^\.\//, ''))
}

interface MaskedFile {
  readonly path: string
  readonly lines: readonly string[]
}

const PORTION_FILES = 64
const PORTION_CHARACTERS = 4_000_000

/** The files with their secrets masked, in portions, so that few are read unnecessarily once there are enough hits. */
async function* portions(
  { folder, isShown, redact }: GrepPlace,
  paths: readonly string[],
): AsyncIterable<readonly MaskedFile[]> {
  const root = await realpath(folder)
  let portion: MaskedFile[] = []
  let size = 0
  for (const path of paths) {
    const text = isShown(path) ? await readReal(root, path) : undefined
    if (text === undefined) continue
    portion.push({ path, lines: (await redact(text)).text.replace(/\n$/, '').split('\n') })
    size += text.length
    if (portion.length < PORTION_FILES && size < PORTION_CHARACTERS) continue
    yield portion
    portion = []
    size = 0
  }
  if (portion.length > 0) yield portion
}

/** Reads a file; undefined if it is not text, is gone, or became a link since it was found. */
async function readReal(root: string, path: string): Promise<string | undefined> {
  try {
    const full = join(root, path)
    if ((await realpath(full)) !== full) return undefined
    const bytes = await readFile(full)
    return isBinary(bytes) ? undefined : bytes.toString('utf8')
  } catch {
    return undefined
  }
}

export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_000).includes(0)

async function linesIn(
  portion: readonly MaskedFile[],
  { folder, milliseconds, signal }: GrepPlace,
  search: LineSearch,
): Promise<readonly FoundLine[]> {
  const words = [
    '--line-number',
    '--text',
    '--max-columns=1',
    `--max-count=${search.limit}`,
    ...patternWords(search),
    '--',
    '-',
  ]
  const printed = await runRipgrep({
    folder,
    words,
    input: portion.map(({ lines }) => `${lines.join('\n')}\n`).join(''),
    milliseconds,
    signal,
  })
  const numbers = printed
    .split('\n')
    .filter(Boolean)
    .map((line) => Number.parseInt(line, 10) - 1)
  const hits: FoundLine[] = []
  let [at, begin] = [0, 0]
  for (const number of numbers) {
    while (number >= begin + portion[at]!.lines.length) begin += portion[at++]!.lines.length
    hits.push(hitAt(portion[at]!, number - begin, search.context))
  }
  return hits
}

function hitAt({ path, lines }: MaskedFile, i: number, context: number): FoundLine {
  const part = (from: number, to: number): string[] =>
    lines.slice(Math.max(0, from), to).map((line) => line.replace(/\r$/, ''))
  return {
    path,
    line: i + 1,
    text: part(i, i + 1)[0]!,
    before: part(i - context, i),
    after: part(i + 1, i + 1 + context),
  }
}
