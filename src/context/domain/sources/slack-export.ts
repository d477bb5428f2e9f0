import { isPlainObject } from '../../../kernel/domain/input/read-value.ts'
import { withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import { cutWhole } from './cut-whole.ts'
import { mrkdwnToMarkdown, type SlackNames } from './slack-mrkdwn.ts'

export interface SlackChannel {
  readonly id: string
  /** Channel name without `#`; for a direct message, built from its members. */
  readonly name: string
  /** Folder in the export that contains the channel's days. */
  readonly folder: string
  readonly about: string
}

/** A member's display name, and whether the member is an app. E-mail addresses and phone numbers are not kept. */
export interface SlackUser {
  readonly name: string
  readonly isBot: boolean
}

export interface SlackMessage {
  readonly ts: string
  readonly thread: string | undefined
  readonly user: string
  /** Name of a user missing from users.json. */
  readonly name: string | undefined
  readonly isBot: boolean
  readonly text: string
  readonly files: readonly string[]
  readonly reactions: readonly string[]
}

export interface SlackPage {
  /** `2026-03`, and `2026-03-2` for the overflow. */
  readonly name: string
  readonly text: string
}

/** Entries of channels.json, groups.json, mpims.json or dms.json; undefined if it is not a list. */
export function readSlackChannels(
  value: unknown,
  users: ReadonlyMap<string, SlackUser>,
): readonly SlackChannel[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter(isPlainObject).flatMap((one) => {
    const id = words(one['id'])
    if (id === undefined) return []
    const members = Array.isArray(one['members']) ? one['members'].map((member) => users.get(String(member))?.name) : []
    const name = words(one['name'])
    const people = members.filter((member) => member !== undefined).toSorted()
    const about = [one['purpose'], one['topic']].map((part) => (isPlainObject(part) ? words(part['value']) : undefined))
    return [
      {
        id,
        name: name ?? (people.length > 0 ? people.join(', ') : id),
        folder: name ?? id,
        about: [...new Set(about.filter((part) => part !== undefined))].join(' '),
      },
    ]
  })
}

export function readSlackUsers(value: unknown): ReadonlyMap<string, SlackUser> {
  const users = new Map<string, SlackUser>()
  for (const one of Array.isArray(value) ? value : []) {
    if (!isPlainObject(one) || typeof one['id'] !== 'string') continue
    const isBot = one['is_bot'] === true || one['id'] === 'USLACKBOT'
    users.set(one['id'], { name: displayName(one['profile'], one['name']) ?? one['id'], isBot })
  }
  return users
}

/** Subtypes of real messages; joining, leaving, renaming and pinning are excluded. */
const SAID = new Set([undefined, 'thread_broadcast', 'me_message', 'file_share', 'bot_message'])

/** Messages of one day; undefined if the file is not a list. */
export function readSlackDay(value: unknown): readonly SlackMessage[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter(isPlainObject).flatMap((one) => {
    const ts = one['ts']
    if (typeof ts !== 'string' || !/^\d{1,12}(?:\.\d{1,9})?$/.test(ts)) return []
    if (one['type'] !== 'message' || one['hidden'] === true || !SAID.has(words(one['subtype']))) return []
    const objects = (key: string) => (Array.isArray(one[key]) ? one[key].filter(isPlainObject) : [])
    const message: SlackMessage = {
      ts,
      thread: words(one['thread_ts']),
      user: words(one['user']) ?? '',
      name: displayName(one['user_profile'], words(one['username'])),
      isBot: one['subtype'] === 'bot_message' || words(one['bot_id']) !== undefined,
      text: typeof one['text'] === 'string' ? one['text'] : '',
      files: objects('files').flatMap((file) => words(file['name']) ?? words(file['title']) ?? []),
      reactions: objects('reactions').flatMap((r) =>
        words(r['name']) === undefined
          ? []
          : [`:${words(r['name'])}:${Number(r['count']) > 1 ? ` ${r['count']}` : ''}`],
      ),
    }
    return message.text.trim() === '' && message.files.length === 0 ? [] : [message]
  })
}

export interface SlackPageRules {
  readonly users: ReadonlyMap<string, SlackUser>
  readonly channels: ReadonlyMap<string, string>
  readonly bots: boolean
  readonly reactions: boolean
}

// About 25,000 tokens; a longer month continues in the next part.
const LARGEST_PAGE = 100_000
const LARGEST_MESSAGE = 20_000

/** One page per month with messages; a thread is placed at its first message. */
export function slackPages(
  channel: SlackChannel,
  said: readonly SlackMessage[],
  { users, channels, bots, reactions }: SlackPageRules,
): readonly SlackPage[] {
  const names: SlackNames = { user: (id) => users.get(id)?.name, channel: (id) => channels.get(id) }
  const own = said.filter((message) => bots || !(message.isBot || users.get(message.user)?.isBot)).toSorted(byTime)
  // A reply to a reply, or to a missing message, is treated as top-level.
  const roots = new Set(own.filter(({ thread, ts }) => thread === undefined || thread === ts).map(({ ts }) => ts))
  const isReply = ({ thread, ts }: SlackMessage): boolean => thread !== undefined && thread !== ts && roots.has(thread)
  const replies = Map.groupBy(own.filter(isReply), ({ thread }) => thread!)
  const line = (message: SlackMessage, day: string, indent: string): string => {
    const [date, time] = timeOf(message.ts)
    const who = users.get(message.user)?.name ?? message.name ?? (message.user || 'somebody')
    const text = cutWhole(mrkdwnToMarkdown(message.text, names).trim(), LARGEST_MESSAGE)
    const more = [
      ...message.files.map((file) => `[file: ${oneLine(file)}]`),
      ...(reactions && message.reactions.length > 0 ? [`(${message.reactions.join(', ')})`] : []),
    ]
    const whole = [text, ...more].filter((part) => part !== '').join(' ')
    return `${indent}- ${date === day ? time : `${date} ${time}`} ${oneLine(who)}: ${whole.replaceAll(/\n+/g, `\n${indent}  `)}`
  }
  const threads = own
    .filter((message) => !isReply(message))
    .map((message) => {
      const [day] = timeOf(message.ts)
      const lines = [message, ...(replies.get(message.ts) ?? [])].map((one, i) => line(one, day, i === 0 ? '' : '  '))
      return { day, text: lines.join('\n') }
    })
  const months = Map.groupBy(threads, ({ day }) => day.slice(0, 7))
  return [...months].flatMap(([month, found]) => partsOf(channel, month, found))
}

function partsOf(
  channel: SlackChannel,
  month: string,
  threads: readonly { readonly day: string; readonly text: string }[],
): readonly SlackPage[] {
  const parts: string[][] = []
  let [length, last] = [LARGEST_PAGE, '']
  for (const { day, text } of threads) {
    const isNew = length + text.length > LARGEST_PAGE
    if (isNew) [length] = [0, parts.push([])]
    const lines = isNew || day !== last ? [`\n## ${day}`, text] : [text]
    parts.at(-1)!.push(...lines)
    length += text.length
    last = day
  }
  return parts.map((lines, i) => ({
    name: i === 0 ? month : `${month}-${i + 1}`,
    text: withoutHidden(
      [
        `# #${oneLine(channel.name)} ${month}${parts.length > 1 ? ` (${i + 1} of ${parts.length})` : ''}`,
        ...(channel.about === '' ? [] : ['', cutWhole(oneLine(channel.about), 500)]),
        ...lines,
        '',
      ].join('\n'),
    ),
  }))
}

/** Name a person chose; e-mail addresses and phone numbers are skipped. */
function displayName(profile: unknown, handle: unknown): string | undefined {
  const shown = isPlainObject(profile) ? [profile['display_name'], profile['real_name'], profile['name']] : []
  return [...shown, handle].map(words).find((name) => name !== undefined && !/\S@\S|^[+\d][\d\s()/.-]{5,}$/.test(name))
}

const byTime = (a: SlackMessage, b: SlackMessage): number => Number(a.ts) - Number(b.ts) || (a.ts < b.ts ? -1 : 1)

function timeOf(ts: string): readonly [day: string, time: string] {
  const text = new Date(Math.min(Number(ts), 253_402_300_799) * 1000).toISOString()
  return [text.slice(0, 10), text.slice(11, 16)]
}

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
