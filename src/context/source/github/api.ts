import { AppError } from '../../../kernel/domain/errors.ts'
import { allParts, openSourceHttp, type SourceAnswer } from '../source-http.ts'

/** One part of a list. */
export interface ListPart {
  readonly found: readonly unknown[]
  readonly next: string | undefined
  readonly tag: string | undefined
}

export interface KnownPart<T> {
  readonly tag: string
  readonly next: string | undefined
  readonly found: readonly T[]
}

export interface GithubApi {
  get(path: string): Promise<unknown>
  /** Whole list; `known` returns the last content of a part and its tag, `read` parses a new one. */
  all<T>(
    first: string,
    known: (url: string) => KnownPart<T> | undefined,
    read: (part: ListPart, url: string) => readonly T[],
  ): Promise<readonly T[]>
  /** Beginning of a list: as much as a page can show. */
  firstParts(path: string): Promise<readonly unknown[]>
}

const MOST_COMMENT_PARTS = 5

/**
 * GitHub's REST API for one repository. Requests are sequential, as GitHub recommends; after it reports too many, no
 * more are sent.
 */
export function openGithubApi(address: string, token: string | undefined): GithubApi {
  const http = openSourceHttp(
    [new URL(address).host],
    {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'ken',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    { whenLonger: 'give up' },
  )
  let last: Promise<unknown> = Promise.resolve()
  let refused: AppError | undefined
  const ask = (url: string, tag?: string): Promise<SourceAnswer> => {
    const asked = last.then(async () => {
      if (refused !== undefined) throw refused
      try {
        return await http.request(url, tag === undefined ? {} : { headers: { 'if-none-match': tag } })
      } catch (error) {
        refused = tooMany(error, token)
        throw refused ?? error
      }
    })
    last = asked.catch(() => undefined)
    return asked
  }
  const part = async (url: string): Promise<ListPart> => partOf(await ask(url))
  return {
    get: async (path) => jsonOf((await ask(`${address}${path}`)).text),
    all: (first, known, read) =>
      allParts('GitHub', first, async (at) => {
        const before = known(at!)
        const answer = await ask(at!, before?.tag)
        if (answer.status === 304 && before !== undefined) return before
        const fresh = partOf(answer)
        return { found: read(fresh, at!), next: fresh.next }
      }),
    async firstParts(path) {
      const found: unknown[] = []
      for (let at: string | undefined = `${address}${path}`, i = 0; at !== undefined && i < MOST_COMMENT_PARTS; i++) {
        const { found: more, next } = await part(at)
        found.push(...more)
        at = next
      }
      return found
    },
  }
}

function partOf({ text, headers }: SourceAnswer): ListPart {
  const found = jsonOf(text)
  if (!Array.isArray(found)) throw unreadable('an answer that is no list')
  const next = /<([^<>]{1,4000})>; *rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return { found, next, tag: headers.get('etag') ?? undefined }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('an answer that is not JSON')
  }
}

const unreadable = (what: string): AppError =>
  new AppError('unavailable', `GitHub gave ${what}.`, { hint: 'Check that url is the address of the API.' })

/** Error for 403 and 429 with no requests left, or with a time to wait; undefined for any other failure. */
function tooMany(error: unknown, token: string | undefined): AppError | undefined {
  const { answer } = error as { readonly answer?: SourceAnswer }
  if (answer === undefined || (answer.status !== 403 && answer.status !== 429)) return undefined
  const { headers } = answer
  const reset = Number(headers.get('x-ratelimit-reset'))
  const isSpent = headers.get('x-ratelimit-remaining') === '0' && reset > 0 && reset < 1e11
  const wait = headers.get('retry-after')
  if (!isSpent && wait === null && answer.status === 403 && !/secondary rate limit/i.test(answer.text)) return undefined
  const until = isSpent
    ? ` until ${new Date(reset * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : wait !== null && /^\d{1,6}$/.test(wait)
      ? ` for ${wait} seconds`
      : ' for now'
  return new AppError('unavailable', `GitHub takes no more requests${until}.`, {
    hint:
      token === undefined
        ? 'Set token in ken.yaml for 5,000 requests an hour instead of 60.'
        : 'Then run it again; it resumes.',
  })
}
