import { lookup as resolveName } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '../../kernel/domain/errors.ts'
import type { GitSetting } from '../../kernel/system/git.ts'
import { isPrivateAddress } from '../../kernel/system/private-address.ts'

/** Resolves a name to addresses; defaults to the system's resolver. */
export type Resolve = (name: string) => Promise<readonly string[]>

export const systemResolve: Resolve = async (name) =>
  (await resolveName(name, { all: true })).map(({ address }) => address)

/**
 * Address of a host, pinned for git: it resolves nothing itself, so the owner of a name cannot redirect it in between.
 * Throws `unavailable` for a host that is not on the public network, unless it is one of `allowed`.
 */
export async function pinnedHost(
  url: URL,
  { resolve, allowed }: { readonly resolve: Resolve; readonly allowed: ReadonlySet<string> },
): Promise<readonly GitSetting[]> {
  const name = url.hostname.replaceAll(/[[\]]/g, '')
  const port = url.port === '' ? '443' : url.port
  const isAllowed = allowed.has(url.host.toLowerCase()) || allowed.has(url.hostname.toLowerCase())
  if (isIP(name) !== 0) {
    if (isAllowed || !isPrivateAddress(name)) return []
    throw unknownHost()
  }
  const found = await resolve(name).catch(() => [])
  if (found.length === 0 || (!isAllowed && found.some(isPrivateAddress))) throw unknownHost()
  const [address] = found.toSorted((one, other) => isIP(one) - isIP(other))
  return [['http.curloptResolve', `${name}:${port}:${isIP(address!) === 6 ? `[${address!}]` : address!}`]]
}

/** Same error for an unknown name: callers must not learn which names the internal network has. */
const unknownHost = (): AppError =>
  new AppError('unavailable', 'The host of the repository is not known.', {
    hint: 'Check its address; one of an inner network has to be named in KEN_GIT_HOSTS where the server runs.',
  })
