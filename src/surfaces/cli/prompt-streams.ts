import { Transform, Writable } from 'node:stream'

/** Represents a line end inside one edited line; nobody types it. */
export const LINE_END = '↵'

export interface KeyStream extends NodeJS.ReadableStream {
  setRawMode?(raw: boolean): unknown
}

// Terminal markers around a paste, once enabled.
const [PASTE_START, PASTE_END] = ['\u001b[200~', '\u001b[201~']
export const PASTE_ON = '\u001b[?2004h'
export const PASTE_OFF = '\u001b[?2004l'
const UNFINISHED = /\u001b\[(?:2(?:0[01]?)?)?$/

/**
 * Keys for a line editor in which a paste is plain text: its line ends do not submit, its tabs do not complete, and its
 * control characters are not keys. Alt-Return inserts a line end.
 */
export function pasteSafe(input: KeyStream): KeyStream {
  let isPaste = false
  let held = ''
  const keys = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let text = held + decoder.decode(chunk, { stream: true })
      held = UNFINISHED.exec(text)?.[0] ?? ''
      text = text.slice(0, text.length - held.length)
      let out = ''
      while (text !== '') {
        const sign = isPaste ? PASTE_END : PASTE_START
        const at = text.indexOf(sign)
        const piece = at < 0 ? text : text.slice(0, at)
        out += isPaste ? asText(piece) : piece.replaceAll(/\u001b[\r\n]/g, LINE_END)
        text = at < 0 ? '' : text.slice(at + sign.length)
        if (at >= 0) isPaste = !isPaste
      }
      done(null, out)
    },
  })
  const decoder = new TextDecoder()
  input.pipe(keys)
  return Object.assign(keys, { isTTY: true, setRawMode: (raw: boolean) => input.setRawMode?.(raw) })
}

const asText = (pasted: string): string =>
  pasted
    .replaceAll(/\r\n|[\r\n]/g, LINE_END)
    .replaceAll('\t', '  ')
    .replaceAll(/[\p{Cc}]/gu, '')

export interface MutableOutput extends Writable {
  isMuted: boolean
}

/** Output of a line editor, held back while something else uses the screen. */
export function mutable(output: NodeJS.WritableStream & { readonly columns?: number }): MutableOutput {
  const own = Object.assign(
    new Writable({
      write(chunk: Buffer | string, _encoding, done) {
        if (!own.isMuted) output.write(chunk)
        done()
      },
    }),
    { isMuted: false, isTTY: true },
  )
  Object.defineProperty(own, 'columns', { get: () => output.columns ?? 80 })
  output.on('resize', () => own.emit('resize'))
  return own
}
