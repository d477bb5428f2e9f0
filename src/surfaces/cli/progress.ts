import type { Context } from '../../operations/context.ts'

const WIDTH = 24

/** A bar on a terminal; silence anywhere else. */
export function showProgress(stream: { isTTY?: boolean; write(text: string): boolean }): Context['progress'] {
  if (!stream.isTTY) return () => {}
  let shown = ''
  return (message, done, total) => {
    const bar = total > 0 ? `[${'█'.repeat(Math.round((WIDTH * done) / total)).padEnd(WIDTH)}] ${done}/${total} ` : `${done} `
    const line = `${bar}${message}`
    if (line === shown) return
    shown = line
    const isEnd = total > 0 && done >= total
    stream.write(`\r\x1b[2K${isEnd ? '' : line}`)
  }
}
