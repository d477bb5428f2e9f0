import { visible } from '../../core/trust/visible.ts'

/**
 * The one way text reaches a terminal: whatever came in with data cannot move the cursor, set a title or fill the
 * clipboard.
 */
export function writeText(stream: { write(text: string): unknown }, text: string): void {
  const shown = visible(text)
  stream.write(shown.endsWith('\n') ? shown : `${shown}\n`)
}
