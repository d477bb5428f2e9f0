import { AsyncLocalStorage } from 'node:async_hooks'

type Fetch = (request: Request, env?: object) => Response | Promise<Response>

const heard = new AsyncLocalStorage<string | undefined>()

/** The address that the request under way came from: that of the proxy, where one stands before the server. */
export const heardFrom = (): string | undefined => heard.getStore()

/** Remembers the address for whatever answers the request. */
export const hearing =
  (answer: Fetch): Fetch =>
  (request, env) => {
    const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
    return heard.run(incoming?.socket?.remoteAddress, () => answer(request, env))
  }
