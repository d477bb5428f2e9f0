import { AppError } from '../../kernel/domain/errors.ts'

const LONGEST = 300
const ADDRESS = /^(https?):\/\/([^/?#@\s]+)(?:\/(?:mcp\/?)?)?$/
const NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
// Needs no https: data sent there stays on this machine.
const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/
const USUAL_PORT: Readonly<Record<string, RegExp>> = { https: /:443$/, http: /:80$/ }

/**
 * The origin of a team server from user input: a host alone means https, and the path of its `/mcp` is dropped.
 * Unencrypted only on this machine, because tokens are sent there.
 */
export function serverOrigin(written: string): string {
  const text = written.trim()
  const full = (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`).toLowerCase()
  const found = text.length <= LONGEST ? ADDRESS.exec(full) : null
  if (found === null) throw unusable()
  const [, scheme, host] = found as unknown as [string, string, string]
  const isSafe = THIS_MACHINE.test(host) || (scheme === 'https' && NAME.test(host))
  if (!isSafe || Number(/:(\d+)$/.exec(host)?.[1] ?? 0) > 65_535) throw unusable()
  return `${scheme}://${host.replace(USUAL_PORT[scheme]!, '')}`
}

// The input may contain a password, so it is not repeated.
const unusable = (): AppError =>
  new AppError('invalid_input', 'That is not the address of a team server.', {
    hint: 'Use scheme and host, e.g. https://ken.example.com; http only for this machine; no user, password or path.',
  })
