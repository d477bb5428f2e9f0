import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SlackUser {
  readonly id: string
  readonly email?: string
  readonly team?: string
  readonly is_bot?: boolean
  readonly is_stranger?: boolean
  readonly is_email_confirmed?: boolean
}

export interface PostedMessage {
  readonly channel: string
  readonly thread: string | undefined
  readonly ts: string
  user: string
  bot: boolean
  text: string
  blocks: any[]
  metadata: unknown
  files: { readonly id: string; readonly name: string; readonly title: string; readonly bytes: Buffer }[]
  /** Number of `chat.update` calls. */
  updates: number
}

export interface SlackCall {
  readonly method: string
  readonly given: Readonly<Record<string, string>>
}

/** Failure instead of a response: a status, an error, or no response until the connection closes. */
export type Trouble = { readonly status: number; readonly retryAfter?: number } | { readonly error: string } | 'cut'

/**
 * Slack as documented, on loopback: the methods that Ken uses, with their documented errors, limits and formats. One
 * workspace and one app.
 */
export interface FakeSlack {
  readonly api: string
  readonly team: string
  readonly bot: string
  readonly token: string
  readonly signingSecret: string
  /** In order of arrival. */
  readonly calls: SlackCall[]
  readonly messages: PostedMessage[]
  readonly whispers: { readonly channel: string; readonly user: string; readonly text: string }[]
  readonly views: any[]
  /** Failures of the next calls of a method; with `done` the call takes effect and only its response is lost. */
  readonly troubles: { readonly method: string; readonly trouble: Trouble; readonly done?: true }[]
  /** Every call fails while true. */
  isAway: boolean
  /** Posts a user's message, in the format of a Slack client. */
  say(user: string, channel: string, text: string, thread?: string): PostedMessage
  /** A mention as the Events API sends it. */
  mention(message: PostedMessage, more?: object): object
  reply(message: PostedMessage): object
  press(user: string, message: PostedMessage, action: string): object
  submit(user: string, view: any, reason: string): object
  /** Sends a signed event to a webhook. */
  event(url: string, body: object, how?: Signing): Promise<Response>
  /** Sends a signed interaction. */
  interaction(url: string, payload: object, how?: Signing): Promise<Response>
  close(): Promise<void>
}

export interface Signing {
  readonly secret?: string
  readonly at?: number
  readonly headers?: Readonly<Record<string, string>>
}

export async function openFakeSlack(users: readonly SlackUser[]): Promise<FakeSlack> {
  const uploads = new Map<string, { readonly name: string; readonly length: number; bytes: Buffer | undefined }>()
  let clock = Math.floor(Date.now() / 1_000)
  let count = 0
  const nextTs = (): string => `${clock++}.${String(++count).padStart(6, '0')}`
  const http = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((up) => http.listen(0, '127.0.0.1', up))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const slack: FakeSlack = {
    api: `${origin}/api`,
    team: 'T0KENTEAM',
    bot: 'U0KENBOT',
    token: 'xoxb-0000-1111-botbotbotbot',
    signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
    calls: [],
    messages: [],
    whispers: [],
    views: [],
    troubles: [],
    isAway: false,
    say(user, channel, text, thread) {
      const message = messageOf({ channel, thread, user, text, ts: nextTs() })
      slack.messages.push(message)
      return message
    },
    mention: (message, more = {}) => callback('app_mention', message, more),
    reply: (message) => callback('message', message, { channel_type: 'channel' }),
    press: (user, message, action) => ({
      type: 'block_actions',
      team: { id: slack.team, domain: 'ken' },
      user: { id: user, username: user.toLowerCase(), team_id: slack.team },
      api_app_id: 'A0KENAPP',
      token: 'legacy',
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: message.channel,
        thread_ts: message.thread,
        is_ephemeral: false,
      },
      trigger_id: `13345224609.738474920.${nextTs()}`,
      channel: { id: message.channel, name: 'general' },
      response_url: 'https://hooks.slack.com/actions/never',
      actions: [buttonOf(message, action)],
    }),
    submit: (user, view, reason) => ({
      type: 'view_submission',
      team: { id: slack.team, domain: 'ken' },
      user: { id: user, username: user.toLowerCase(), team_id: slack.team },
      view: {
        ...view,
        id: 'V0KENVIEW',
        state: { values: { reason: { text: { type: 'plain_text_input', value: reason === '' ? null : reason } } } },
      },
    }),
    event: (url, body, how) => send(url, JSON.stringify(body), 'application/json', how),
    interaction: (url, payload, how) =>
      send(
        url,
        new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
        'application/x-www-form-urlencoded',
        how,
      ),
    close: () =>
      new Promise((closed) => {
        http.close(() => closed())
        http.closeAllConnections()
      }),
  }
  const callback = (type: string, { channel, thread, ts, user, text }: PostedMessage, more: object): object => ({
    token: 'legacy',
    team_id: slack.team,
    api_app_id: 'A0KENAPP',
    type: 'event_callback',
    event_id: `Ev${ts.replace('.', '')}${type}`,
    event_time: Math.floor(Number(ts)),
    is_ext_shared_channel: false,
    authorizations: [{ enterprise_id: null, team_id: slack.team, user_id: slack.bot, is_bot: true }],
    event: { type, user, text, ts, channel, event_ts: ts, ...(thread && { thread_ts: thread }), ...more },
  })
  const send = (url: string, body: string, type: string, how: Signing = {}): Promise<Response> => {
    const at = String(how.at ?? Math.floor(Date.now() / 1_000))
    const signed = createHmac('sha256', how.secret ?? slack.signingSecret)
      .update(`v0:${at}:${body}`)
      .digest('hex')
    const headers = { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${signed}`, ...how.headers }
    return fetch(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  }

  const METHODS: Record<string, (given: Readonly<Record<string, string>>) => object> = {
    'auth.test': () => ({ url: 'https://ken.slack.com/', team: 'Ken', team_id: slack.team, user_id: slack.bot }),
    'users.info'({ user }) {
      const found = users.find(({ id }) => id === user)
      if (found === undefined) return refusal('user_not_found')
      const { id, email, team = slack.team, ...is } = found
      const profile = { real_name: id, ...(email !== undefined && { email }) }
      return { user: { id, team_id: team, deleted: false, is_bot: false, ...is, profile } }
    },
    'chat.postMessage'({ channel, thread_ts: thread, text, blocks, metadata }) {
      if (channel === undefined) return refusal('channel_not_found')
      if (text === undefined && blocks === undefined) return refusal('no_text')
      if (thread !== undefined && !slack.messages.some(({ ts }) => ts === thread)) return refusal('thread_not_found')
      const fault = blocksFault(blocks)
      if (fault !== undefined) return refusal(fault)
      const message = messageOf({ channel, thread, user: slack.bot, text: text ?? '', ts: nextTs(), bot: true })
      slack.messages.push(Object.assign(message, { blocks: read(blocks) ?? [], metadata: read(metadata) }))
      return { channel, ts: message.ts, message: { text } }
    },
    'chat.update'({ channel, ts, text, blocks }) {
      const message = slack.messages.find((one) => one.ts === ts && one.channel === channel)
      if (message === undefined) return refusal('message_not_found')
      if (!message.bot) return refusal('cant_update_message')
      const fault = blocksFault(blocks)
      if (fault !== undefined) return refusal(fault)
      Object.assign(message, { text, blocks: read(blocks) ?? [], updates: message.updates + 1 })
      return { channel, ts, text }
    },
    'chat.postEphemeral'({ channel, user, text }) {
      slack.whispers.push({ channel: channel!, user: user!, text: text! })
      return { message_ts: nextTs() }
    },
    'conversations.replies'({ channel, ts: thread, oldest = '0', limit = '1000' }) {
      const all = slack.messages.filter(
        (one) => one.channel === channel && (one.ts === thread || one.thread === thread),
      )
      if (all.length === 0) return refusal('thread_not_found')
      const wanted = all.filter(({ ts }) => ts === thread || Number(ts) >= Number(oldest)).slice(0, Number(limit))
      return { messages: wanted.map(shown), has_more: wanted.length < all.length }
    },
    'files.getUploadURLExternal'({ filename, length }) {
      if (filename === undefined || !(Number(length) > 0)) return refusal('missing_argument')
      const id = `F${String(++count).padStart(8, '0')}`
      uploads.set(id, { name: filename, length: Number(length), bytes: undefined })
      return { upload_url: `${origin}/upload/${id}`, file_id: id }
    },
    'files.completeUploadExternal'({ files, channel_id: channel, thread_ts: thread }) {
      const named = read(files) as { id: string; title: string }[]
      const found = named.map(({ id }) => uploads.get(id))
      if (found.some((one) => one?.bytes === undefined || one.bytes.length !== one.length))
        return refusal('file_not_found')
      const message = messageOf({ channel: channel!, thread, user: slack.bot, text: '', ts: nextTs(), bot: true })
      message.files = named.map(({ id, title }, at) => ({ id, title, name: found[at]!.name, bytes: found[at]!.bytes! }))
      slack.messages.push(message)
      return { files: named }
    },
    'views.open'({ trigger_id: trigger, view }) {
      if (trigger === undefined) return refusal('invalid_trigger_id')
      slack.views.push(read(view))
      return { view: read(view) }
    },
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const method = incoming.url!.split('?')[0]!.replace(/^\/(?:api|upload)\//, '')
    if (slack.isAway) return void response.writeHead(503).end()
    if (incoming.url!.startsWith('/upload/')) {
      uploads.get(method)!.bytes = body
      return void response.writeHead(200).end(`OK - ${body.length}`)
    }
    const json = (answer: object): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    const given = Object.fromEntries(new URLSearchParams(body.toString()))
    slack.calls.push({ method, given })
    if (incoming.headers.authorization === undefined) return json(refusal('not_authed'))
    if (incoming.headers.authorization !== `Bearer ${slack.token}`) return json(refusal('invalid_auth'))
    const work = METHODS[method]
    if (work === undefined) return json(refusal('unknown_method'))
    const at = slack.troubles.findIndex((one) => one.method === method)
    const [met] = at < 0 ? [] : slack.troubles.splice(at, 1)
    if (met?.done) work(given)
    if (met === undefined) return json({ ok: true, ...work(given) })
    if (met.trouble === 'cut') return void incoming.socket.destroy()
    if ('error' in met.trouble) return json(refusal(met.trouble.error))
    const { status, retryAfter } = met.trouble
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }).end()
  }
  return slack
}

const refusal = (error: string): object => ({ ok: false, error })

const read = (text: string | undefined): any => (text === undefined ? undefined : JSON.parse(text))

const messageOf = (
  facts: Pick<PostedMessage, 'channel' | 'thread' | 'ts' | 'user' | 'text'> & { bot?: boolean },
): PostedMessage => ({ bot: false, ...facts, blocks: [], metadata: undefined, files: [], updates: 0 })

const shown = ({ ts, thread, user, bot, text, metadata, files }: PostedMessage): object => ({
  type: 'message',
  ts,
  user,
  text,
  ...(thread && { thread_ts: thread }),
  ...(bot && { bot_id: 'B0KENBOT' }),
  ...(metadata !== undefined && { metadata }),
  ...(files.length > 0 && { files: files.map(({ id, name }) => ({ id, name })) }),
})

/** Checks the Block Kit limits that a message can exceed. */
function blocksFault(text: string | undefined): string | undefined {
  const blocks = (read(text) ?? []) as any[]
  const texts = blocks.flatMap((one) => [one.text, ...(one.type === 'context' ? one.elements : [])]).filter(Boolean)
  if (blocks.length > 50) return 'invalid_blocks'
  if (texts.some((one) => one.text.length === 0 || one.text.length > 3_000)) return 'invalid_blocks'
  return JSON.stringify(blocks).length > 16_000 ? 'msg_blocks_too_long' : undefined
}

function buttonOf(message: PostedMessage, action: string): object {
  const found = message.blocks.flatMap((one) => one.elements ?? []).find((one) => one.action_id === action)
  if (found === undefined) throw new Error(`the message has no ${action}`)
  return { type: 'button', action_id: action, block_id: 'ken', value: found.value, action_ts: message.ts }
}
