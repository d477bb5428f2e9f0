import { z } from 'zod'
import { mrkdwnToMarkdown } from '../../../context/domain/sources/slack-mrkdwn.ts'
import type { ChannelButton, ChannelNews } from '../channel/channel-post.ts'

/** The app's workspace and the channels it serves. */
export interface SlackHome {
  readonly team: string
  /** Channels the app answers in; if empty, every channel it was invited to. */
  readonly channels: readonly string[]
}

const NOTHING: ChannelNews = { kind: 'nothing' }
const LONGEST_WORDS = 12_000
const LONGEST_REASON = 3_000

const id = z.string().regex(/^[A-Z][A-Z0-9]{1,30}$/)
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/)

const challenge = z.object({ type: z.literal('url_verification'), challenge: z.string().min(1).max(500) })
const callback = z.object({
  type: z.literal('event_callback'),
  team_id: id,
  event: z.object({
    type: z.enum(['app_mention', 'message']),
    user: id,
    channel: id,
    ts,
    thread_ts: ts.optional(),
    text: z.string(),
    subtype: z.string().optional(),
    bot_id: z.string().optional(),
    app_id: z.string().optional(),
  }),
  /** The recipient of the event: the app's own user. */
  authorizations: z.array(z.object({ user_id: id, is_bot: z.boolean() })).default([]),
})
const actions = z.object({
  type: z.literal('block_actions'),
  trigger_id: z.string().min(1).max(200),
  team: z.object({ id }),
  user: z.object({ id, team_id: id.optional() }),
  container: z.object({ channel_id: id, message_ts: ts, thread_ts: ts.optional() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().max(200).optional() })).length(1),
})
const submission = z.object({
  type: z.literal('view_submission'),
  team: z.object({ id }),
  user: z.object({ id, team_id: id.optional() }),
  view: z.object({
    callback_id: z.literal('ken_reason'),
    private_metadata: z.string().max(400),
    state: z.object({ values: z.object({ reason: z.object({ text: z.object({ value: z.string().nullish() }) }) }) }),
  }),
})
const kept = z.object({ about: z.string(), channel: id, thread: ts })

/** Parses a Slack request in its documented forms; other requests, and requests from other places, are ignored. */
export function readSlack(sent: unknown, home: SlackHome): ChannelNews {
  const asked = challenge.safeParse(sent)
  if (asked.success) return { kind: 'challenge', answer: asked.data.challenge }
  return readEvent(sent, home) ?? readPress(sent, home) ?? readReason(sent, home) ?? NOTHING
}

function readEvent(sent: unknown, home: SlackHome): ChannelNews | undefined {
  const read = callback.safeParse(sent)
  if (!read.success) return undefined
  const { team_id: team, event, authorizations } = read.data
  const bot = authorizations.find((one) => one.is_bot)?.user_id
  // Edits, joins and messages from programs have a subtype, a bot id or an app id.
  if (event.subtype !== undefined || event.bot_id !== undefined || event.app_id !== undefined || event.user === bot)
    return NOTHING
  if (!isHome(home, team, event.channel)) return NOTHING
  const isMention = event.type === 'app_mention'
  // A message that mentions the app is delivered again as a mention; a message that mentions another person is meant
  // for that person.
  if (!isMention && (event.thread_ts === undefined || /<@[A-Z0-9]+/.test(event.text))) return NOTHING
  const words = wordsIn(event.text, bot)
  if (words === '') return NOTHING
  return {
    kind: 'ask',
    id: `${team}/${event.channel}/${event.ts}`,
    team,
    channel: event.channel,
    thread: event.thread_ts ?? event.ts,
    user: event.user,
    words,
    isMention,
    isReply: event.thread_ts !== undefined && event.thread_ts !== event.ts,
  }
}

/** The text without the name of the app. */
export const wordsIn = (text: string, bot: string | undefined): string =>
  mrkdwnToMarkdown(bot === undefined ? text.replace(/^\s*<@[A-Z0-9]+>/, '') : text.replaceAll(`<@${bot}>`, ' '), {
    user: noName,
    channel: noName,
  })
    .trim()
    .slice(0, LONGEST_WORDS)
    .toWellFormed()

const noName = (): undefined => undefined

function readPress(sent: unknown, home: SlackHome): ChannelNews | undefined {
  const read = actions.safeParse(sent)
  if (!read.success) return undefined
  const { team, user, container, actions: pressed, trigger_id: trigger } = read.data
  const { action_id: action, value: about } = pressed[0]!
  const button = /^ken_(stop|up|down)$/.exec(action)?.[1] as ChannelButton | undefined
  if (button === undefined || about === undefined || !isHome(home, team.id, container.channel_id)) return NOTHING
  const place = {
    team: team.id,
    channel: container.channel_id,
    thread: container.thread_ts ?? container.message_ts,
  }
  return { kind: 'press', place, user: user.id, button, about, trigger }
}

function readReason(sent: unknown, home: SlackHome): ChannelNews | undefined {
  const read = submission.safeParse(sent)
  if (!read.success) return undefined
  const { team, user, view } = read.data
  const meant = kept.safeParse(jsonIn(view.private_metadata))
  if (!meant.success || !isHome(home, team.id, meant.data.channel)) return NOTHING
  const { about, channel, thread } = meant.data
  const reason = (view.state.values.reason.text.value ?? '').trim().slice(0, LONGEST_REASON).toWellFormed()
  return { kind: 'reason', place: { team: team.id, channel, thread }, user: user.id, about, reason }
}

const isHome = (home: SlackHome, team: string, channel: string): boolean =>
  team === home.team && (home.channels.length === 0 || home.channels.includes(channel))

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
