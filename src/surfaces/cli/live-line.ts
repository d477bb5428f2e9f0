import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { fitWidth } from '../../kernel/domain/view/width.ts'

/** The last line of a terminal, redrawn until output above it is final. */
export interface LiveLine {
  draw(text: string): void
  /** Must be called before any other output. */
  clear(): void
}

export interface LiveStream {
  readonly columns?: number
  write(text: string): unknown
}

/** Truncates lines: a wrapped line could not be erased. */
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
