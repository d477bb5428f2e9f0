import type { Readable } from 'node:stream'

const ENDS = ['end', 'close', 'error']

/**
 * Whether standard input begins like that of an MCP client, with a JSON object. The input read stays available. A pipe
 * that ends or contains anything else is a script that expects the overview.
 */
export function clientSpeaks(input: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const look = (): void => {
      for (let part = next(); part !== null; part = next()) {
        const start = String(part).trimStart()
        if (start === '') continue
        // Put back in the same tick: a stream whose last part was consumed ends in the next.
        input.unshift(part)
        return done(start.startsWith('{'))
      }
    }
    const next = (): Buffer | string | null => input.read() as Buffer | string | null
    const end = (): void => done(false)
    const done = (speaks: boolean): void => {
      input.off('readable', look)
      for (const event of ENDS) input.off(event, end)
      resolve(speaks)
    }
    input.on('readable', look)
    for (const event of ENDS) input.on(event, end)
  })
}
