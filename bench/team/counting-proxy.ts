import { createServer, connect, type AddressInfo } from 'node:net'

export interface Counted {
  /** Times that the client waited for the server. */
  readonly roundTrips: number
  readonly transactions: number
  readonly statements: number
}

/** Forwards connections to a local PostgreSQL, and counts what they send. */
export async function countingProxy(port: number) {
  const noDelay = true
  let counted: Counted = { roundTrips: 0, transactions: 0, statements: 0 }
  const server = createServer({ noDelay }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay })
    let [isAsking, isHasty, isBegun] = [false, false, false]
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk)
      const text = chunk.toString('latin1')
      // A query or an execute message; the texts of statements are short enough to be in one piece.
      const statements = [...text.matchAll(/Q\0[\s\S]{2}\0?[A-Z]|E\0\0\0[\s\S]{2}/g)].length
      // The client does not wait for the end of a transaction that only reads or locks.
      const isUnawaited = isHasty && /^Q[\s\S]{4}COMMIT\0$/.test(text)
      isHasty = /BEGIN READ ONLY|lock_timeout/.test(text) || (isHasty && !/BEGIN/.test(text))
      const begun = [...text.matchAll(/\bBEGIN\b/g)].length
      isBegun = begun > 0 || isBegun
      counted = {
        roundTrips: counted.roundTrips + (isAsking || isUnawaited ? 0 : 1),
        // Statements outside of BEGIN and COMMIT are sent as one transaction.
        transactions: counted.transactions + (isBegun || statements === 0 ? begun : 1),
        statements: counted.statements + statements,
      }
      isAsking = !isUnawaited
      if (/^Q[\s\S]{4}(?:COMMIT|ROLLBACK)\0$/.test(text)) isBegun = false
    })
    upstream.on('data', (chunk) => {
      isAsking = false
      client.write(chunk)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { port: (server.address() as AddressInfo).port, seen: () => counted, close: () => server.close() }
}
