import { AppError } from '../errors.ts'

const LONGEST = 300
const ENCRYPTED = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
// Without a name in front: what is sent there goes to nobody else.
const THIS_MACHINE = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/

/**
 * The origin of a team server as somebody writes it: a host alone means https, and the path of its `/mcp` is left out.
 * Without encryption only on this machine, because tokens go there.
 */
export function serverOrigin(written: string): string {
  const text = written.trim()
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = text.length <= LONGEST && URL.canParse(full) ? new URL(full) : undefined
  const isBare = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !isBare || !/^\/(?:mcp\/?)?$/.test(url.pathname)) throw unusable()
  if (ENCRYPTED.test(url.origin) || THIS_MACHINE.test(url.origin)) return url.origin
  throw unusable()
}

// What was written may hold a password, so it is not repeated.
const unusable = (): AppError =>
  new AppError('invalid_input', 'That is not the address of a team server.', {
    hint: 'Give its scheme and host, e.g. https://ken.example.com; http only for this machine, and no name, password or path.',
  })
