import { PassThrough, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askForContext } from './context-wizard.ts'

/** A terminal that types each answer once its question is on the screen. */
function typist(answers: readonly (readonly [question: string, keys: string])[]): { input: PassThrough; output: Writable } {
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

test('the answers become the words someone could have typed', async () => {
  const streams = typist([['called', 'shop\r'], ['Which database', 'jj\r'], ['environment variable', 'SHOP_URL\r'], ['repository', '../web\r'], ['documents?', '\r'], ['Make it', 'y\r']])
  expect(await askForContext('here', streams)).toEqual(['--name', 'shop', '--database', 'postgres:${SHOP_URL}', '--repository', '../web'])
})

test('stopping in the middle makes nothing', async () => {
  expect(await askForContext('here', typist([['called', '\r'], ['Which database', '\u0003']]))).toBeUndefined()
})
