import { systemRandom } from '../../src/kernel/system/random.ts'
import { tokenSecret } from '../../src/team/domain/token.ts'

/** Headers and query of an attempt, and whether they contain a well-formed token. */
interface Try {
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly isShaped: boolean
}

/** Tries `count` mutated tokens; returns the distinct answers and the number of well-formed tokens. */
export async function showMutated(
  url: string,
  good: readonly string[],
  { count, chance }: { readonly count: number; readonly chance: () => number },
): Promise<{ readonly answers: readonly string[]; readonly shaped: number }> {
  const answers = new Set<string>()
  let shaped = 0
  const show = async ({ headers, query, isShaped }: Try): Promise<void> => {
    shaped += Number(isShaped)
    const response = await fetch(`${url}/v1/list_projects${query}`, { method: 'POST', body: '{}', headers })
    answers.add(`${response.status} ${[...response.headers.keys()].join()} ${await response.text()}`)
  }
  for (let shown = 0; shown < count; shown += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => show(mutatedToken(good, chance))))
  return { answers: [...answers], shaped }
}

const AT_ONCE = 10

const bearer = (text: string): Try => ({ headers: { authorization: `Bearer ${text}` }, query: '', isShaped: false })

/** A mutation of valid tokens that is never valid. */
function mutatedToken(good: readonly string[], chance: () => number): Try {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!
  const token = pick(good)
  const at = Math.floor(chance() * token.length)
  const put = (text: string): string => token.slice(0, at) + text + token.slice(at + 1)
  const kind = token[4] === 'p' ? 'a' : 'p'
  return pick<() => Try>([
    () =>
      bearer(put(String.fromCharCode(token.charCodeAt(at) ^ (1 << Math.floor(chance() * 7))).replace(/[^!-~]/, '~'))),
    () => bearer(token.slice(0, at)),
    () => bearer(token.slice(at + 1)),
    () => bearer(token + pick(['0', 'A', '=', '==', '.', token])),
    () => bearer(`ken_${kind}_${token.slice(6)}`),
    () => bearer(token.toUpperCase()),
    () => bearer(token.split('').toReversed().join('')),
    () => bearer(put(pick(['é', 'ÿ', '\u00a0', '\u00ad']))),
    () => bearer('A'.repeat(1 + Math.floor(chance() * 12_000))),
    () => bearer(`${token}, Bearer ${pick(good)}`),
    () => bearer(`${token} ${pick(good)}`),
    () => bearer(`"${token}"`),
    () => bearer(''),
    () => bearer(`ken_o_${token.slice(6)}`),
    () => bearer(encodeURIComponent(`${token}\r\nx-ken-project: ${pick(good)}`)),
    () => ({ ...bearer(tokenSecret(pick(['personal', 'agent']), systemRandom.bytes(32))), isShaped: true }),
    () => ({ ...bearer(''), headers: { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` } }),
    () => ({ ...bearer(''), headers: { authorization: token } }),
    () => ({ ...bearer(''), headers: { cookie: `token=${token}; session=${token}` } }),
    () => ({ ...bearer(''), headers: { 'x-api-key': token, 'x-authorization': `Bearer ${token}` } }),
    () => ({ ...bearer(''), headers: { 'proxy-authorization': `Bearer ${token}` } }),
    () => ({
      ...bearer(''),
      headers: {},
      query: `?access_token=${token}&token=${token}&authorization=Bearer%20${token}`,
    }),
  ])()
}
