import { AppError } from '../../kernel/domain/errors.ts'
import { fetchWithRetries, type RetryRules } from '../../kernel/system/http-retry.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'

export interface SourceHttp {
  /** Throws `unavailable` if it cannot be fetched, `forbidden` for a host that ken.yaml does not name. */
  request(
    url: string,
    options?: {
      readonly method?: 'GET' | 'HEAD' | 'POST'
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<SourceAnswer>
  /** Response as JSON; throws `unavailable` if it is not JSON. */
  json(url: string, options?: { readonly body?: unknown }): Promise<unknown>
}

export interface SourceAnswer {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const PATIENCE = 30_000
const RETRIES: RetryRules = {
  tries: 4,
  firstPause: 150,
  longestPause: 20_000,
  whenLonger: 'wait less',
  withoutAnswer: true,
}
const LARGEST = 10 * 1024 * 1024
const REDIRECTS = 5

/** Fetches only from the hosts that ken.yaml names, even if one of them redirects elsewhere. */
export function openSourceHttp(
  hosts: readonly string[],
  headers: Readonly<Record<string, string>>,
  rules: Partial<RetryRules> = {},
): SourceHttp {
  const ask = async (
    url: string,
    { method = 'GET', body, headers: own }: Parameters<SourceHttp['request']>[1] = {},
    redirects = 0,
  ): Promise<SourceAnswer> => {
    const place = new URL(url)
    if (!hosts.includes(place.host) || !/^https?:$/.test(place.protocol))
      throw new AppError('forbidden', `${place.host} is not a host that ken.yaml names.`, {
        hint: 'Add it as a separate source to include it.',
      })
    const response = await patiently(
      place,
      { ...RETRIES, ...rules },
      {
        method,
        headers: { ...headers, ...own, ...(body !== undefined && { 'content-type': 'application/json' }) },
        redirect: 'manual',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    )
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel()
      if (redirects >= REDIRECTS) throw failure(place, 'it redirects in a circle', 'Check the address.')
      const next = new URL(location, place)
      // A request with a key would expose the key on the way.
      if (place.protocol === 'https:' && next.protocol === 'http:')
        throw failure(place, 'it redirects to an address without encryption', 'Name the https address in ken.yaml.')
      return ask(next.href, { method, ...(own && { headers: own }) }, redirects + 1)
    }
    return {
      url: place.href,
      status: response.status,
      headers: response.headers,
      text: method === 'HEAD' ? '' : await readBody(place, response),
    }
  }
  const http: SourceHttp = {
    async json(url, options) {
      const { text } = await http.request(url, options && { ...options, method: 'POST' })
      try {
        return JSON.parse(text)
      } catch {
        throw failure(new URL(url), 'the answer is not JSON', 'Check that the address is that of the API.')
      }
    },
    async request(url, options) {
      const answer = await ask(url, options)
      if (answer.status < 400) return answer
      const hint =
        answer.status === 401 || answer.status === 403
          ? 'Check the token, and that it may see this.'
          : answer.status === 404
            ? 'Check the address, and that it is shared with the integration.'
            : 'Try again later.'
      throw Object.assign(failure(new URL(url), `it answered ${answer.status}`, hint), {
        status: answer.status,
        answer,
      })
    },
  }
  return http
}

// A hundred thousand entries at the usual hundred per part.
const MOST_PARTS = 1_000

/** All parts of a list, each naming the next; an endless or circular list is cut off. */
export async function allParts<T>(
  what: string,
  first: string | undefined,
  ask: (at: string | undefined) => Promise<{ readonly found: readonly T[]; readonly next: string | undefined }>,
): Promise<readonly T[]> {
  const all: T[] = []
  const seen = new Set<string | undefined>([first])
  for (let at = first; ;) {
    const { found, next } = await ask(at)
    for (const one of found) all.push(one)
    if (next === undefined) return all
    if (seen.has(next) || seen.size >= MOST_PARTS)
      throw new AppError('unavailable', `${what} returned an endless list.`, {
        hint: 'Include fewer pages or spaces in ken.yaml.',
      })
    seen.add(next)
    at = next
  }
}

async function patiently(place: URL, rules: RetryRules, init: RequestInit): Promise<Response> {
  try {
    return await fetchWithRetries(() => fetch(place, { ...init, signal: AbortSignal.timeout(PATIENCE) }), rules)
  } catch (error) {
    const what = (error as Error).name === 'TimeoutError' ? 'it does not answer' : networkCause(error)
    throw failure(place, what, 'Check the address and the network.')
  }
}

async function readBody(place: URL, response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk as Uint8Array)
      length += (chunk as Uint8Array).length
      if (length > LARGEST)
        throw Object.assign(failure(place, 'the answer is larger than 10 MB', 'Leave this page out.'), { status: 413 })
    }
  } catch (error) {
    throw error instanceof AppError ? error : failure(place, 'the answer broke off', 'Try again.')
  }
  return Buffer.concat(chunks).toString('utf8')
}

const failure = (place: URL, what: string, hint: string): AppError =>
  new AppError('unavailable', `${place.host}${place.pathname} cannot be read: ${what}.`, { hint })
