import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TeamsMember {
  readonly id: string
  readonly email?: string
  readonly userPrincipalName?: string
  readonly tenantId?: string
  readonly userRole?: string
}

export interface PostedActivity {
  readonly conversation: string
  readonly id: string
  body: any
  /** Number of updates. */
  updates: number
}

export interface Forging {
  readonly claims?: object
  readonly head?: object
  readonly key?: 'other' | 'unendorsed'
  /** The whole header instead of a token. */
  readonly header?: string
}

/** Microsoft’s sign-in, keys and Bot Connector as documented, on loopback: the calls that Ken uses, for one app. */
export interface FakeTeams {
  readonly origin: string
  readonly serviceUrl: string
  readonly tenant: string
  readonly appId: string
  readonly password: string
  readonly channel: string
  readonly posted: PostedActivity[]
  /** Personal messages. */
  readonly whispers: { readonly user: string; readonly text: string }[]
  readonly tokens: string[]
  /** Statuses of the next calls to the connector. */
  readonly troubles: number[]
  /** Number of times that the keys were read. */
  keysRead: number
  /** Runs before the metadata is answered, and names its status. */
  beforeMetadata: (() => Promise<number>) | undefined
  mention(user: string, words: string, more?: object): any
  press(user: string, message: PostedActivity, button: string): any
  /** Sends an activity with a token that is good, except for what is forged. */
  send(url: string, activity: object, forged?: Forging): Promise<Response>
  header(forged?: Forging): string
  environment(project: string): Record<string, string>
  close(): Promise<void>
}

export async function openFakeTeams(members: readonly TeamsMember[]): Promise<FakeTeams> {
  const keys = { main: pair(), other: pair(), unendorsed: pair() }
  const users = new Map<string, string>()
  let count = 1_700_000_000_000
  const http = createServer((request, response) => void serve(request, response))
  await new Promise<void>((up) => http.listen(0, '127.0.0.1', up))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const teams: FakeTeams = {
    origin,
    serviceUrl: `${origin}/emea/`,
    tenant: '11111111-2222-3333-4444-555555555555',
    appId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    password: 'app~password',
    channel: '19:general_0-1@thread.tacv2',
    posted: [],
    whispers: [],
    tokens: [],
    troubles: [],
    keysRead: 0,
    beforeMetadata: undefined,
    mention(user, words, more = {}) {
      const id = String(++count)
      const bot = { id: `28:${teams.appId}`, name: 'Ken' }
      return {
        type: 'message',
        channelId: 'msteams',
        id,
        timestamp: new Date().toISOString(),
        serviceUrl: teams.serviceUrl,
        from: { id: user, name: 'Somebody', aadObjectId: '00000000-0000-0000-0000-000000000001' },
        recipient: bot,
        conversation: {
          id: `${teams.channel};messageid=${id}`,
          conversationType: 'channel',
          isGroup: true,
          tenantId: teams.tenant,
        },
        channelData: { tenant: { id: teams.tenant }, team: { id: '19:team@thread.tacv2' } },
        textFormat: 'plain',
        text: `<at>Ken</at> ${words}`,
        entities: [
          { type: 'mention', mentioned: bot, text: '<at>Ken</at>' },
          { type: 'clientInfo', locale: 'en-US' },
        ],
        ...more,
      }
    },
    press: (user, message, button) => ({
      ...teams.mention(user, ''),
      text: undefined,
      entities: [],
      conversation: { id: message.conversation, conversationType: 'channel' },
      replyToId: message.id,
      value: buttonsOf(message).find(({ ken }) => ken === button),
    }),
    header({ claims = {}, head = {}, key, header } = {}) {
      if (header !== undefined) return header
      const now = Math.floor(Date.now() / 1_000)
      const shown = { alg: 'RS256', typ: 'JWT', kid: key === 'unendorsed' ? 'unendorsed' : 'main', ...head }
      const said = {
        iss: 'https://api.botframework.com',
        aud: teams.appId,
        nbf: now - 10,
        exp: now + 3_600,
        serviceurl: teams.serviceUrl,
        ...claims,
      }
      const text = [shown, said].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      const signature = sign('RSA-SHA256', Buffer.from(text), keys[key ?? 'main'].privateKey)
      return `Bearer ${text}.${signature.toString('base64url')}`
    },
    send: (url, activity, forged) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: teams.header(forged) },
        body: JSON.stringify(activity),
      }),
    environment: (project) => ({
      KEN_TEAMS_PROJECTS: `${teams.tenant}=${project}`,
      KEN_TEAMS_APP_ID: teams.appId,
      KEN_TEAMS_APP_PASSWORD: teams.password,
      KEN_TEAMS_LOGIN_URL: origin,
      KEN_TEAMS_METADATA_URL: `${origin}/metadata`,
      KEN_TEAMS_SERVICES: origin,
    }),
    close: () => new Promise((closed) => (http.close(() => closed()), http.closeAllConnections())),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const refused = request.url === '/metadata' ? await teams.beforeMetadata?.() : undefined
    const { status, json } = refused === undefined ? answer(request, body) : { status: refused, json: undefined }
    response.writeHead(status, { 'content-type': 'application/json' }).end(json && JSON.stringify(json))
  }

  function answer({ method, url = '', headers }: IncomingMessage, body: string): { status: number; json?: object } {
    if (url === '/metadata')
      return { status: 200, json: { issuer: 'https://api.botframework.com', jwks_uri: `${origin}/keys` } }
    if (url === '/keys') {
      teams.keysRead += 1
      return {
        status: 200,
        json: {
          keys: [
            jwk('main', keys.main.publicKey, ['msteams', 'skype']),
            jwk('unendorsed', keys.unendorsed.publicKey, ['webchat']),
          ],
        },
      }
    }
    if (url === `/${teams.tenant}/oauth2/v2.0/token`) return signIn(new URLSearchParams(body))
    if (!teams.tokens.includes((headers.authorization ?? '').slice('Bearer '.length))) return { status: 401 }
    const trouble = teams.troubles.shift()
    if (trouble !== undefined) return { status: trouble }
    const [, , version, things, conversation, kind, id] = url.split('/').map(decodeURIComponent)
    if (version !== 'v3' || things !== 'conversations') return { status: 404 }
    const given = body === '' ? {} : JSON.parse(body)
    if (conversation === undefined) return openPersonal(given)
    return inConversation({ method: method!, conversation, kind, id, given })
  }

  function signIn(form: URLSearchParams): { status: number; json?: object } {
    const { grant_type: grant, client_id: app, client_secret: secret, scope } = Object.fromEntries(form)
    const isGood = grant === 'client_credentials' && app === teams.appId && secret === teams.password
    if (!isGood || scope !== 'https://api.botframework.com/.default') return { status: 401 }
    teams.tokens.push(`token-${teams.tokens.length + 1}`)
    return { status: 200, json: { token_type: 'Bearer', expires_in: 3_599, access_token: teams.tokens.at(-1) } }
  }

  function openPersonal({ members: [member], tenantId, bot }: any): { status: number; json?: object } {
    if (tenantId !== teams.tenant || bot.id !== `28:${teams.appId}`) return { status: 400 }
    if (!members.some(({ id }) => id === member.id)) return { status: 403 }
    users.set(`a:${member.id}`, member.id)
    return { status: 201, json: { id: `a:${member.id}` } }
  }

  function inConversation({ method, conversation, kind, id, given }: any): { status: number; json?: object } {
    if (kind === 'members') {
      const member = members.find((one) => one.id === id)
      const usual = { tenantId: teams.tenant, userRole: 'user', name: 'Somebody' }
      return member === undefined ? { status: 404 } : { status: 200, json: { ...usual, ...member } }
    }
    const person = users.get(conversation)
    if (person !== undefined) {
      teams.whispers.push({ user: person, text: given.text })
      return { status: 201, json: { id: 'w1' } }
    }
    if (!conversation.startsWith(`${teams.channel};messageid=`)) return { status: 404 }
    if (method === 'POST') {
      const made = { conversation, id: String(++count), body: given, updates: 0 }
      teams.posted.push(made)
      return { status: 201, json: { id: made.id } }
    }
    const known = teams.posted.find((one) => one.id === id)
    if (known === undefined) return { status: 404 }
    known.body = given
    known.updates += 1
    return { status: 200, json: { id } }
  }
  return teams
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = (kid: string, key: KeyObject, endorsements: readonly string[]): object => ({
  ...key.export({ format: 'jwk' }),
  use: 'sig',
  kid,
  endorsements,
})

export const cardOf = ({ body }: Pick<PostedActivity, 'body'>): any => body.attachments[0].content
export const textOf = (message: Pick<PostedActivity, 'body'>): string =>
  cardOf(message)
    .body.map(({ text }: any) => text)
    .join('\n')
const buttonsOf = (message: PostedActivity): any[] => cardOf(message).actions.flatMap(({ data }: any) => data ?? [])
