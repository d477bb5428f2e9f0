import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { fitWidth } from '../../kernel/domain/view/width.ts'

/** The last line of a terminal, which is written anew until something stays above it. */
export interface LiveLine {
  draw(text: string): void
  /** Before anything else is written. */
  clear(): void
}

export interface LiveStream {
  readonly columns?: number
  write(text: string): unknown
}

/** A line that wraps could not be wiped away, so it is cut. */
export function openLiveLine(stream: LiveStream): LiveLine {
  let drawn = ''
  return {
    draw(text) {
      const line = fitWidth(visibleLine(text), (stream.columns || 80) - 1)
      if (line === drawn) return
      stream.write(line.startsWith(drawn) && drawn !== '' ? line.slice(drawn.length) : `\r\u001b[K${line}`)
      drawn = line
    },
    clear() {
      if (drawn !== '') stream.write('\r\u001b[K')
      drawn = ''
    },
  }
}
