import { styleText } from 'node:util'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { textOf, type Styled, type Tone } from '../../kernel/domain/view/styled.ts'

/**
 * The only way text reaches a terminal: data cannot move the cursor, set a title or fill the clipboard. Colours are
 * added last, from the renderer's marks; text with hidden characters gets none.
 */
export function writeText(
  stream: { write(text: string): unknown },
  text: string | Styled,
  { hasColour = false }: { hasColour?: boolean } = {},
): void {
  const plain = typeof text === 'string' ? text : textOf(text)
  const shown = visible(plain)
  const isStyled = hasColour && typeof text !== 'string' && shown === plain
  stream.write((isStyled ? painted(text) : shown) + (shown.endsWith('\n') ? '' : '\n'))
}

type Format = Parameters<typeof styleText>[0]

const FORMATS: Readonly<Record<Tone, Extract<Format, readonly unknown[]>>> = {
  title: ['bold'],
  dim: ['dim'],
  good: ['green'],
  warning: ['yellow'],
  bad: ['red'],
  match: ['bold', 'cyan'],
}

/** Colours each line separately, so that a pager that shows part of a text shows it in colour. */
function painted(text: Styled): string {
  return text
    .map(({ text: piece, tones }) =>
      tones.length === 0
        ? piece
        : piece
            .split('\n')
            .map((line) => (line === '' ? '' : styleText(formatOf(tones), line, { validateStream: false })))
            .join('\n'),
    )
    .join('')
}

/** A match replaces other formats, so that it is visible inside dim text. */
const formatOf = (tones: readonly Tone[]): Extract<Format, readonly unknown[]> =>
  tones.includes('match') ? FORMATS.match : tones.flatMap((tone) => FORMATS[tone] as never)
