import { sourceOfAddress } from '../../../kernel/domain/limits/source-of-address.ts'

/** The client addresses of requests. A forwarding header is trusted only as far as our own proxies wrote it. */
export interface RequestSources {
  saw(request: Request, peer: string | undefined): void
  of(request: Request): string
}

/** `proxies`: the number of proxies in front of the server, each of which appends the address of its client. */
export function openRequestSources(proxies: number): RequestSources {
  const known = new WeakMap<Request, string>()
  return {
    saw(request, peer) {
      const told = (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
      const source = proxies === 0 ? peer : told[told.length - proxies]
      known.set(request, sourceOfAddress((source || peer || 'unknown').slice(0, LONGEST)))
    },
    of: (request) => known.get(request) ?? 'unknown',
  }
}

const LONGEST = 100
