import { request, createServer, type IncomingMessage } from 'node:http'

/** A proxy between machines and a server that counts bytes and breaks connections. */
export interface TeamProxy {
  readonly url: string
  /** Bytes of bodies and headers in both directions since the last call. */
  bytes(): number
  /**
   * Called for every push: before it is forwarded, or after the server has answered and before the client gets the
   * answer.
   */
  onPush: { at: 'asked' | 'answered'; do(): void } | undefined
  forwardTo(port: number): void
  close(): Promise<void>
}

export async function openTeamProxy(port: number): Promise<TeamProxy> {
  let [target, bytes] = [0, 0]
  const server = createServer((asked, answer) => {
    const isPush = asked.url?.endsWith('/push') === true
    const { onPush } = proxy
    if (isPush && onPush?.at === 'asked') {
      asked.socket.destroy()
      onPush.do()
      return
    }
    bytes += sizeOf(asked)
    asked.on('data', (chunk: Buffer) => (bytes += chunk.length))
    const forwarded = request(
      { host: '127.0.0.1', port: target, method: asked.method, path: asked.url, headers: asked.headers },
      (got) => {
        if (isPush && onPush?.at === 'answered') {
          got.resume().on('end', () => {
            asked.socket.destroy()
            onPush.do()
          })
          return
        }
        bytes += sizeOf(got)
        got.on('data', (chunk: Buffer) => (bytes += chunk.length))
        answer.writeHead(got.statusCode!, got.headers)
        got.pipe(answer)
      },
    )
    forwarded.on('error', () => asked.socket.destroy())
    asked.on('error', () => forwarded.destroy())
    answer.on('close', () => forwarded.destroy())
    asked.pipe(forwarded)
  })
  const proxy: TeamProxy = {
    url: `http://127.0.0.1:${port}`,
    onPush: undefined,
    bytes() {
      const counted = bytes
      bytes = 0
      return counted
    },
    forwardTo: (next) => void (target = next),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return proxy
}

const sizeOf = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.reduce((sum, part) => sum + part.length + 2, url.length + 20)
