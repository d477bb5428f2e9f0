import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface SmtpServer {
  readonly port: number
  readonly mails: readonly string[]
  close(): Promise<void>
}

/** A mail server on loopback that accepts every mail, or rejects all with the given message. */
export async function startSmtp(refusal?: string): Promise<SmtpServer> {
  const [mails, sockets]: [string[], Set<Socket>] = [[], new Set()]
  const server = createServer((socket) => {
    sockets.add(socket)
    let [text, isData] = ['', false]
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    say('220 loopback ESMTP')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end === -1) return
        const part = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          mails.push(part)
          isData = false
          say('250 taken')
        } else if (/^DATA/i.test(part)) {
          isData = true
          say('354 go on')
        } else if (/^RCPT/i.test(part) && refusal !== undefined) say(`550 ${refusal}: ${part}`)
        else if (/^QUIT/i.test(part)) socket.end('221 bye\r\n')
        else say('250 ok')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
