import { AppError } from '../../kernel/domain/errors.ts'
import { closesFence, fenceOpening } from '../../kernel/domain/text/markdown-fences.ts'

const START = '<!-- ken:start'
const END = '<!-- ken:end -->'
const OPENING = `${START}: written by Ken and written again; put your own text outside -->`

/**
 * Puts the body between Ken's markers, at the end of a text that has none. The rest of the text stays byte for byte.
 */
export function writeBlock(text: string, body: string): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const block = [OPENING, '', harmless(body).trim(), '', END].join('\n').replaceAll(/\r?\n/g, eol)
  const present = findBlock(text)
  if (present !== undefined) return text.slice(0, present.start) + block + text.slice(present.end)
  const gap = text.trim() === '' ? '' : text.endsWith(`${eol}${eol}`) ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${block}${eol}`
}

/** Takes the block out with the blank line that led to it. `before`: the text as it was without the block. */
export function removeBlock(text: string, before: string | undefined): string {
  const present = findBlock(text)
  if (present === undefined) return text
  const [head, tail] = [text.slice(0, present.start), text.slice(present.end).replace(/^\r?\n/, '')]
  if (before !== undefined && tail === '' && head.trimEnd() === before.trimEnd()) return before
  return tail === '' ? head.replace(/(?<=\n)\r?\n$/, '') : head + tail
}

/** Where the block stands; markers inside a code fence are somebody's example. */
export function findBlock(text: string): { start: number; end: number } | undefined {
  const start = lineOutsideFences(text, (line) => line.startsWith(START))
  if (start === undefined) return undefined
  const end = new RegExp(`^${END}[ \\t]*\\r?$`, 'm').exec(text.slice(start))
  if (end === null) throw unended()
  return { start, end: start + end.index + END.length }
}

/** The position of the first line that fits and is not inside a code fence. A fence that nobody closed is none. */
export function lineOutsideFences(text: string, fits: (line: string) => boolean): number | undefined {
  let fence: string | undefined
  let fenced: number | undefined
  let position = 0
  for (const line of text.split('\n')) {
    const opening = fenceOpening(line)
    const mark = opening !== undefined && /^ {0,3}$/.test(opening.indent) ? opening.mark : undefined
    if (mark === undefined && fits(line)) {
      if (fence === undefined) return position
      fenced ??= position
    }
    if (fence === undefined) [fence, fenced] = [mark, undefined]
    else if (mark !== undefined && closesFence(line.trim(), fence)) fence = undefined
    position += line.length + 1
  }
  return fence === undefined ? undefined : fenced
}

const unended = (): AppError =>
  new AppError('damaged', `the line ${END} that ends Ken's block is missing`, {
    hint: `Put ${END} back on a line of its own, or delete the block, then run this again.`,
  })

// A decision's title may hold anything; inside the block it must not end it.
const harmless = (body: string): string => body.replaceAll('<!-- ken:', '<!-- ken :')
