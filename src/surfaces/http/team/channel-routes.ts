import type { Hono } from 'hono'
import type { ChannelNews } from '../../../team/domain/channel/channel-post.ts'
import type { ChatChannel } from '../../../team/ports/chat-channel.ts'
import { busy, denied } from '../refusals.ts'
import { boundedBytes } from './bounded-bytes.ts'
import type { RequestSources } from './request-source.ts'

export interface ChannelHooks {
  /** For a project without a channel, a hook with an unknown secret: the two must be indistinguishable. */
  hookOf(channel: ChatChannel['name'], project: string): Pick<ChatChannel, 'read' | 'askReason'>
  take(project: string, news: ChannelNews): Promise<void>
  now(): Date
}

const LARGEST_BODY = 512 * 1024
/** Concurrent bodies per replica, and per sender: they are read before authentication. */
const [MOST_AT_ONCE, MOST_FROM_ONE] = [128, 32]
// Slack does not wait longer for a response; a slow body must not block others.
const SLOWEST_MS = 3_000

/** Requests from channels. The sender may be verified by the bytes of the body, so the body is read raw and not parsed before. */
export function addChannels(app: Hono<any>, { hookOf, take, now }: ChannelHooks, sources: RequestSources): void {
  const underWay = new Map<symbol, string>()
  app.post('/hooks/:channel{slack|teams}/:project', async (c) => {
    const [one, source] = [Symbol('body'), sources.of(c.req.raw)]
    const ofSource = [...underWay.values()].filter((other) => other === source)
    if (underWay.size === MOST_AT_ONCE || ofSource.length === MOST_FROM_ONE) return busy()
    underWay.set(one, source)
    try {
      const body = await boundedBytes(c.req.raw, { largest: LARGEST_BODY, patience: SLOWEST_MS })
      if (body === undefined) return denied(413, 'A body may have 512 KB.')
      const project = c.req.param('project').toUpperCase()
      const hook = hookOf(c.req.param('channel') as ChatChannel['name'], project)
      const news = await hook.read({ body, header: (name) => c.req.header(name) }, now())
      if (news === undefined) return denied(401, 'The signature is not right.')
      if (news.kind === 'challenge') return c.text(news.answer)
      // The trigger of the form is valid for three seconds, so this is not left to a job.
      if (news.kind === 'press' && news.button === 'down') await hook.askReason(news.trigger, news.place, news.about)
      else await take(project, news)
      return c.body(null, 200)
    } finally {
      underWay.delete(one)
    }
  })
}
