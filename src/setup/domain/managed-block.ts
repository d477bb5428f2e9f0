import { AppError } from '../../kernel/domain/errors.ts'
import { closesFence, fenceOpening } from '../../kernel/domain/text/markdown-fences.ts'

const START = '<!-- ken:start'
const END = '<!-- ken:end -->'
const OPENING = `${START}: written by Ken and written again; put your own text outside -->`

/**
 * Puts the body between Ken's markers, or at the end of a text that has none. The rest of the text stays byte for byte.
 */
export function writeBlock(text: string, body: string): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const block = [OPENING, '', harmless(body).trim(), '', END].join('\n').replaceAll(/\r?\n/g, eol)
  const present = findBlock(text)
  if (present !== undefined) return text.slice(0, present.start) + block + text.slice(present.end)
  const gap = text.trim() === '' ? '' : text.endsWith(`${eol}${eol}`) ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${block}${eol}`
}

/** Removes the block with the blank line before it. `before`: the text as it was without the block. */
export function removeBlock(text: string, before: string | undefined): string {
  const present = findBlock(text)
  if (present === undefined) return text
  const [head, tail] = [text.slice(0, present.start), text.slice(present.end).replace(/^\r?\n/, '')]
  if (before !== undefined && tail === '' && head.trimEnd() === before.trimEnd()) return before
  return tail === '' ? head.replace(/(?<=\n)\r?\n$/, '') : head + tail
}

/** Position of the block; markers inside a code fence are an example. */
export function findBlock(text: string): { start: number; end: number } | undefined {
  const start = lineOutsideFences(text, (line) => line.startsWith(START))
  if (start === undefined) return undefined
  const end = new RegExp(`^${END}[ \\t]*\\r?$`, 'm').exec(text.slice(start))
  if (end === null) throw unended()
  return { start, end: start + end.index + END.length }
}

/** The position of the first matching line outside code fences. An unclosed fence is ignored. */
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
    hint: `Put ${END} back on a separate line, or delete the block, then run this again.`,
  })

// A decision's title may contain anything; it must not end the block.
const harmless = (body: string): string => body.replaceAll('<!-- ken:', '<!-- ken :')
