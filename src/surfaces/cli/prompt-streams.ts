import { Transform, Writable } from 'node:stream'

/** Stands for a line end inside one line that is edited; nobody types it. */
export const LINE_END = '↵'

export interface KeyStream extends NodeJS.ReadableStream {
  setRawMode?(raw: boolean): unknown
}

// What a terminal puts around a paste, once it is asked to.
const [PASTE_START, PASTE_END] = ['\u001b[200~', '\u001b[201~']
export const PASTE_ON = '\u001b[?2004h'
export const PASTE_OFF = '\u001b[?2004l'
const UNFINISHED = /\u001b\[(?:2(?:0[01]?)?)?$/

/**
 * Keys as a line editor takes them, where a paste is text and nothing else: its line ends do not send it, its tabs
 * complete nothing, and no key is pressed by it. Alt-Return goes to the next line.
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

/** What a line editor draws, which is held back as long as something else has the screen. */
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
