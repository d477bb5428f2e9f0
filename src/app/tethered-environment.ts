import { connect } from 'node:net'
import { TETHER } from '../analyst/agent-client/server-tether.ts'
import { AppError } from '../kernel/domain/errors.ts'
import type { Environment } from './settings.ts'

export interface Tethered {
  readonly environment: Environment
  /** Resolves when the server's turn is over; never for a standalone server. */
  readonly cut: Promise<void>
}

const LONGEST = 8_000_000
const PATIENCE = 10_000

/**
 * Connects a server started by one of Ken's clients: the server gets its environment from the Ken process that runs the
 * client, and runs while that process holds the connection.
 */
export async function tetheredEnvironment(environment: Environment): Promise<Tethered> {
  const address = environment[TETHER]
  if (!address) return { environment, cut: new Promise(() => {}) }
  // Half open: the other end waits for this end to close, which happens when the process exits.
  const socket = connect({ path: address, allowHalfOpen: true })
  const cut = new Promise<void>((done) => {
    socket.once('end', () => done())
    socket.once('close', () => done())
  })
  const told = await new Promise<string | undefined>((settle) => {
    let text = ''
    socket.setEncoding('utf8').setTimeout(PATIENCE, () => settle(undefined))
    socket.on('error', () => settle(undefined))
    socket.on('close', () => settle(undefined))
    socket.on('end', () => settle(undefined))
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.endsWith('\n')) settle(text)
      if (text.length > LONGEST) settle(undefined)
    })
  })
  if (told === undefined) {
    socket.destroy()
    throw new AppError('unavailable', 'The turn this server was started for has ended.', { hint: 'Ask again.' })
  }
  socket.setTimeout(0)
  // Sends the process id, so that the other end can kill this process if it does not exit.
  socket.write(`${process.pid}\n`)
  // The socket does not keep the server alive; only the client does.
  socket.unref()
  return { environment: JSON.parse(told) as Environment, cut }
}
