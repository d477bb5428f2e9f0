import { z } from 'zod'
import type { ChannelButton, ChannelNews } from '../channel/channel-post.ts'
import type { TeamsHome } from './teams-projects.ts'

const NOTHING: ChannelNews = { kind: 'nothing' }
const LONGEST_WORDS = 12_000

const account = z.object({ id: z.string().regex(/^[\w:.-]{1,200}$/) })
const activity = z.object({
  type: z.literal('message'),
  channelId: z.literal('msteams'),
  id: z.string().regex(/^\d{1,20}$/),
  serviceUrl: z.string().max(300),
  from: account,
  recipient: account,
  conversation: z.object({ id: z.string().max(300), conversationType: z.literal('channel') }),
  channelData: z.object({ tenant: z.object({ id: z.string() }) }),
  text: z.string().optional(),
  entities: z
    .array(z.object({ type: z.string(), mentioned: account.optional(), text: z.string().min(1).optional() }))
    .default([]),
  /** The data of a pressed button. */
  value: z.object({ ken: z.enum(['stop', 'up', 'down']), about: z.string().min(1).max(400) }).optional(),
})

const CONVERSATION = /^(19:[\w-]{1,120}@thread\.[a-z0-9]{1,20});messageid=(\d{1,20})$/

/**
 * Parses an activity of Microsoft Teams: messages in a channel that mention the app, and its buttons. Everything else,
 * and everything from other tenants and channels, is ignored.
 */
export function readTeams(sent: unknown, home: TeamsHome): ChannelNews {
  const read = activity.safeParse(sent)
  if (!read.success) return NOTHING
  const { id, serviceUrl, from, recipient, conversation, channelData, text = '', entities, value } = read.data
  const [, channel, thread] = CONVERSATION.exec(conversation.id) ?? []
  if (channel === undefined || thread === undefined || from.id.startsWith('28:') || from.id === recipient.id)
    return NOTHING
  if (channelData.tenant.id.toLowerCase() !== home.tenant) return NOTHING
  if (home.channels.length > 0 && !home.channels.includes(channel)) return NOTHING
  const place = { team: serviceUrl.replace(/\/$/, ''), channel, thread }
  if (value !== undefined) return pressed(value, { place, user: from.id })
  const mentions = entities.filter(({ type, mentioned }) => type === 'mention' && mentioned?.id === recipient.id)
  const words = mentions
    .reduce((rest, mention) => (mention.text === undefined ? rest : rest.replaceAll(mention.text, ' ')), text)
    .trim()
    .slice(0, LONGEST_WORDS)
    .toWellFormed()
  if (mentions.length === 0 || words === '') return NOTHING
  return {
    kind: 'ask',
    id: `${channel}/${id}`,
    ...place,
    user: from.id,
    words,
    isMention: true,
    isReply: thread !== id,
  }
}

function pressed(
  { ken: button, about }: { readonly ken: ChannelButton; readonly about: string },
  where: Pick<Extract<ChannelNews, { kind: 'press' }>, 'place' | 'user'>,
): ChannelNews {
  // Teams opens a form only with a second request, so a reason is not asked for.
  if (button === 'down') return { kind: 'reason', ...where, about, reason: '' }
  return { kind: 'press', ...where, button, about, trigger: '' }
}
