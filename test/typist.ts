import { PassThrough, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

/** A terminal that types each answer once its question is on the screen. */
export function typist(answers: readonly (readonly [question: string, keys: string])[]): {
  input: PassThrough
  output: Writable
} {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const waiting = [...answers]
  let screen = ''
  const output = new Writable({
    write(chunk, _encoding, done) {
      screen += String(chunk)
      const [next] = waiting
      if (next !== undefined && screen.includes(next[0])) {
        waiting.shift()
        void wait(20).then(async () => {
          for (const key of next[1]) {
            input.write(key)
            await wait(2)
          }
        })
      }
      done()
    },
  })
  return { input, output: Object.assign(output, { columns: 80, rows: 24, isTTY: true }) }
}
