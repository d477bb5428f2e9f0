import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import type { ChannelPlace } from '../domain/channel/channel-post.ts'
import { jsonIn, readSlack, wordsIn, type SlackHome } from '../domain/slack/read-slack.ts'
import { reasonForm, slackMessage } from '../domain/slack/slack-message.ts'
import type { ChatChannel, Said, SentToHook } from '../ports/chat-channel.ts'
import { openSlackCalls, type SlackCalls } from './slack-calls.ts'

export interface SlackAppOptions extends SlackHome {
  readonly token: string
  readonly signingSecret: string
  /** https://slack.com/api */
  readonly api: string
}

const MOST_REPLIES = 200
const LONGEST_SAID = 1_000
// Nothing in a message becomes a link, a mention or a preview automatically.
const AS_IT_IS = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false }

/** An app in one Slack workspace, through its Web API and its requests to the hook. */
export function openSlackChannel({ token, signingSecret, api, ...home }: SlackAppOptions): ChatChannel {
  const calls = openSlackCalls({ token, api })
  const assertOwn = ownTeam(calls, home.team)
  let quietUntil = 0
  return {
    name: 'slack',
    async read(sent, now) {
      if (!isFromSlack(signingSecret, sent, now)) return undefined
      const text = Buffer.from(sent.body).toString('utf8')
      const isForm = sent.header('content-type')?.startsWith('application/x-www-form-urlencoded') === true
      return readSlack(jsonIn(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text), home)
    },
    async user(id) {
      await assertOwn()
      const told = await calls.ask('users.info', { user: id }).catch((thrown: unknown) => {
        if (thrown instanceof AppError && UNSEEN.has(String(thrown.details?.['error']))) return undefined
        throw thrown
      })
      const read = USER.safeParse(told?.['user'])
      if (!read.success) return undefined
      const { team_id: team, profile, ...is } = read.data
      const isOfHere = team === home.team && !is.is_stranger && !is.deleted && !is.is_bot && !is.is_workflow_bot
      return isOfHere && is.is_email_confirmed && profile.email !== undefined ? { email: profile.email } : undefined
    },
    async post(place, post, { key, since, mayBeThere }) {
      const there = mayBeThere ? await postedUnder(calls, { ...place, since }, key) : undefined
      if (there !== undefined) return there
      const metadata = { event_type: 'ken_answer', event_payload: { key } }
      const given = { ...at(place), ...slackMessage(post), ...AS_IT_IS, metadata }
      return String((await calls.ask('chat.postMessage', given, { tries: 1 }))['ts'])
    },
    async change({ channel }, message, post, { isSoonOld } = { isSoonOld: false }) {
      if (isSoonOld && performance.now() < quietUntil) return
      const given = { channel, ts: message, ...slackMessage(post), parse: 'none', link_names: false }
      await calls.ask('chat.update', given, isSoonOld ? { tries: 0 } : {}).catch((thrown: unknown) => {
        if (!isSoonOld) throw thrown
        quietUntil = performance.now() + pauseOf(thrown)
      })
    },
    async whisper(place, user, words) {
      await calls.ask('chat.postEphemeral', { ...at(place), user, text: words, ...AS_IT_IS }).catch((thrown) => {
        // A person outside the channel cannot see the message anyway.
        if (!(thrown instanceof AppError && thrown.code === 'forbidden')) throw thrown
      })
    },
    async share(place, { name, title, bytes }, { since, begun, begin }) {
      if (begun !== undefined && (await isShared(calls, { ...place, since }, begun))) return
      const room = await calls.ask('files.getUploadURLExternal', { filename: name, length: bytes.length })
      const id = String(room['file_id'])
      await calls.send(String(room['upload_url']), bytes)
      await begin(id)
      const given = { files: [{ id, title }], channel_id: place.channel, thread_ts: place.thread }
      await calls.ask('files.completeUploadExternal', given, { tries: 1 })
    },
    async said(place, before, most) {
      const replies = await repliesOf(calls, place)
      return replies
        .filter(({ ts, text }) => Number(ts) < Number(before) && text.trim() !== '')
        .slice(-most)
        .map(({ user, bot_id, text }): Said => ({
          by: bot_id === undefined ? (user ?? 'somebody') : 'an app',
          words: ellipsis(wordsIn(text, undefined), LONGEST_SAID),
        }))
    },
    async askReason(trigger, { channel, thread }, about) {
      const view = reasonForm(JSON.stringify({ about, channel, thread }))
      await calls.ask('views.open', { trigger_id: trigger, view }, { tries: 1 })
    },
  }
}

const at = ({ channel, thread }: ChannelPlace) => ({ channel, thread_ts: thread })

// Slack omits fields that do not apply; only new accounts have a flag for a confirmed address.
const USER = z.object({
  team_id: z.string(),
  deleted: z.boolean().default(false),
  is_bot: z.boolean(),
  is_workflow_bot: z.boolean().default(false),
  is_stranger: z.boolean().default(false),
  is_email_confirmed: z.boolean().default(true),
  profile: z.object({ email: z.string().max(254).optional() }),
})

const UNSEEN = new Set(['user_not_found', 'user_not_visible'])

const REPLY = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(''),
  metadata: z.object({ event_payload: z.object({ key: z.string().optional() }).optional() }).optional(),
  files: z.array(z.object({ id: z.string() })).default([]),
})

interface LookedAt extends ChannelPlace {
  readonly since?: string
}

async function repliesOf(
  calls: SlackCalls,
  { channel, thread, since }: LookedAt,
): Promise<readonly z.output<typeof REPLY>[]> {
  const given = { channel, ts: thread, oldest: since, limit: MOST_REPLIES, include_all_metadata: true }
  const { messages } = await calls.ask('conversations.replies', given)
  return (Array.isArray(messages) ? messages : []).flatMap((one) => {
    const read = REPLY.safeParse(one)
    return read.success ? [read.data] : []
  })
}

const postedUnder = async (calls: SlackCalls, place: LookedAt, key: string): Promise<string | undefined> =>
  (await repliesOf(calls, place)).find(({ metadata }) => metadata?.event_payload?.key === key)?.ts

const isShared = async (calls: SlackCalls, place: LookedAt, file: string): Promise<boolean> =>
  (await repliesOf(calls, place)).some(({ files }) => files.some(({ id }) => id === file))

const pauseOf = (thrown: unknown): number => {
  const pause = thrown instanceof AppError ? thrown.details?.['pause'] : undefined
  return typeof pause === 'number' && Number.isFinite(pause) ? pause : 5_000
}

/** Throws if the token belongs to another workspace than the one in the settings. Checked once. */
function ownTeam(calls: SlackCalls, team: string): () => Promise<void> {
  let known: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    if ((await calls.ask('auth.test', {}))['team_id'] !== team)
      throw new AppError('forbidden', 'The bot token is of another workspace than KEN_SLACK_PROJECTS names.')
  }
  return () =>
    (known ??= ask().catch((thrown: unknown) => {
      known = undefined
      throw thrown
    }))
}

const WINDOW_S = 5 * 60

/**
 * Whether a request was signed with the signing secret in the last five minutes. Takes constant time, whatever is wrong
 * with it.
 */
function isFromSlack(secret: string, { body, header }: SentToHook, now: Date): boolean {
  const at = header('x-slack-request-timestamp') ?? ''
  const shown = Buffer.from(header('x-slack-signature') ?? '')
  const signed = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${at}:`).update(body).digest('hex')}`)
  const isSame = timingSafeEqual(shown.length === signed.length ? shown : Buffer.alloc(signed.length), signed)
  const isNow = /^\d{1,12}$/.test(at) && Math.abs(now.getTime() / 1_000 - Number(at)) <= WINDOW_S
  return isSame && isNow
}
