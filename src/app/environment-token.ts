import { serverOrigin } from '../team/domain/server-address.ts'
import type { Environment } from './settings.ts'

/**
 * Returns KEN_TOKEN, only for the server in KEN_SERVER. If KEN_SERVER is not set, only for a server that the user named
 * in the call itself: a clone may name any.
 */
export function environmentToken(
  environment: Environment,
  { origin, isNamed = false }: { readonly origin: string; readonly isNamed?: boolean },
): string | undefined {
  const [token, server] = [environment['KEN_TOKEN']?.trim(), environment['KEN_SERVER']?.trim()]
  const isMeant = server ? serverOrigin(server) === origin : isNamed
  return isMeant && token ? token : undefined
}
