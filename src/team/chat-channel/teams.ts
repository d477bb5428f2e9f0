import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { ChannelPlace } from '../domain/channel/channel-post.ts'
import { jsonIn } from '../domain/slack/read-slack.ts'
import { readTeams } from '../domain/teams/read-teams.ts'
import { teamsMessage } from '../domain/teams/teams-message.ts'
import type { TeamsHome } from '../domain/teams/teams-projects.ts'
import type { ChatChannel } from '../ports/chat-channel.ts'
import { openMicrosoftTokens } from './is-from-microsoft.ts'
import { openTeamsCalls } from './teams-calls.ts'

export interface TeamsAppOptions extends TeamsHome {
  readonly appId: string
  readonly password: string
  readonly login: string
  readonly metadata: string
  /** Origins of the services that an app token may be sent to. */
  readonly services: readonly string[]
}

/** An app in one Microsoft 365 tenant, through the Bot Connector. A place's `team` is the address of its service. */
export function openTeamsChannel({ services, metadata, ...app }: TeamsAppOptions): ChatChannel {
  const call = openTeamsCalls(app)
  const verified = openMicrosoftTokens({ appId: app.appId, metadata })
  const isService = (address: string): boolean => URL.canParse(address) && services.includes(new URL(address).origin)
  const conversations = ({ team }: ChannelPlace): string => {
    if (isService(team)) return `${team}/v3/conversations`
    throw new AppError('forbidden', 'The address of the service is not one of Microsoft Teams.')
  }
  const conversation = (place: ChannelPlace): string =>
    `${conversations(place)}/${encodeURIComponent(`${place.channel};messageid=${place.thread}`)}`
  return {
    name: 'teams',
    async read({ body, header }, now) {
      const from = await verified(header('authorization'), now)
      if (from === undefined || !isService(from.serviceUrl)) return undefined
      const sent = jsonIn(Buffer.from(body).toString('utf8'))
      // The token vouches for one service, whatever the body says.
      if ((sent as { serviceUrl?: unknown } | null | undefined)?.serviceUrl !== from.serviceUrl) return undefined
      return readTeams(sent, app)
    },
    async user(id, place) {
      const told = await call('GET', `${conversation(place)}/members/${encodeURIComponent(id)}`).catch(unlessRefused)
      const read = MEMBER.safeParse(told)
      if (!read.success || read.data.tenantId.toLowerCase() !== app.tenant) return undefined
      const { email, userPrincipalName: name, userRole } = read.data
      const isOfHere = userRole === 'user' && !/#EXT#/i.test(name)
      return isOfHere ? { email: email ?? name } : undefined
    },
    async post(place, post) {
      const address = `${conversation(place)}/activities/${place.thread}`
      const { id } = await call('POST', address, { ...teamsMessage(post), replyToId: place.thread })
      if (typeof id === 'string' && /^[\w.:-]{1,200}$/.test(id)) return id
      throw new AppError('unavailable', 'Microsoft Teams named no id of the message.')
    },
    async change(place, message, post, { isSoonOld } = { isSoonOld: false }) {
      const address = `${conversation(place)}/activities/${encodeURIComponent(message)}`
      await call('PUT', address, { ...teamsMessage(post), id: message }).catch((thrown: unknown) => {
        if (!isSoonOld) throw thrown
      })
    },
    async whisper(place, user, words) {
      const all = conversations(place)
      const tenant = { id: app.tenant }
      const asked = { isGroup: false, bot: { id: `28:${app.appId}` }, members: [{ id: user }], tenantId: tenant.id }
      const opened = await call('POST', all, { ...asked, channelData: { tenant } }).catch(unlessRefused)
      if (typeof opened?.['id'] !== 'string') return
      const message = { type: 'message', textFormat: 'plain', text: words }
      await call('POST', `${all}/${encodeURIComponent(opened['id'])}/activities`, message).catch(unlessRefused)
    },
    async share() {
      throw new AppError('forbidden', 'An app cannot attach files in a Teams channel.')
    },
    said: async () => [],
    askReason: async () => undefined,
  }
}

const MEMBER = z.object({
  tenantId: z.string(),
  email: z.string().max(254).optional(),
  userPrincipalName: z.string().min(1).max(254),
  userRole: z.string(),
})

function unlessRefused(thrown: unknown): undefined {
  if (thrown instanceof AppError && thrown.code === 'forbidden') return undefined
  throw thrown
}
