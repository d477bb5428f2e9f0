import { randomBytes } from 'node:crypto'
import { AppError } from '../../kernel/domain/errors.ts'
import { MOST_TRIES } from '../../kernel/domain/jobs/job.ts'
import type { Origin } from '../../kernel/domain/origin.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import { answerAsk } from '../../surfaces/channel/answer-ask.ts'
import type { ChannelDesk } from '../../surfaces/channel/channel-desk.ts'
import { pressButton, type Pressed } from '../../surfaces/channel/press-button.ts'
import type { ChannelHooks } from '../../surfaces/http/team/channel-routes.ts'
import type { NamedPlace } from '../../surfaces/mcp/server.ts'
import { channelCaller } from '../../team/channel-caller.ts'
import { openSlackChannel } from '../../team/chat-channel/index.ts'
import type { ChannelNews } from '../../team/domain/channel/channel-news.ts'
import { readSlackProjects } from '../../team/domain/slack/slack-apps.ts'
import type { ChatChannel } from '../../team/ports/chat-channel.ts'
import { runJobs, startWorkers, type JobEvent, type JobHandler, type Worker } from '../run-jobs.ts'
import type { Environment } from '../settings.ts'
import { neededOf } from './care-given.ts'
import type { Team } from './open-team.ts'
import type { ServerContext } from './team-context.ts'
import type { Asking } from './team-mcp.ts'

const SLACK = 'https://slack.com/api'
/** Concurrent channel answers of a replica, separate from its other jobs: an answer takes minutes. */
const [ANSWERS, PRESSES] = [8, 4]
// In milliseconds; the delay for an answer of a dead replica. A turn has the same lease.
const LEASE_MS = 15_000

export type TeamChannelsByProject = ReadonlyMap<string, ChatChannel>

/** The channels of projects from the server's environment; empty if none are set. */
export function openChannels(environment: Environment): TeamChannelsByProject {
  const said = environment['KEN_SLACK_PROJECTS']?.trim() ?? ''
  const homes = readSlackProjects(said)
  const channels = new Map<string, ChatChannel>()
  let unnamed: string | undefined
  for (const [project, home] of homes) {
    const own = (name: string): string =>
      environment[`${name}_${project}`]?.trim()
        ? neededOf(environment, `${name}_${project}`)
        : neededOf(environment, name)
    if (!environment[`KEN_SLACK_SIGNING_SECRET_${project}`]?.trim()) {
      if (unnamed !== undefined)
        throw new AppError('invalid_input', 'Two projects use the same Slack app, which can serve only one.', {
          hint: `Create an app for each, and set KEN_SLACK_BOT_TOKEN_${project} and KEN_SLACK_SIGNING_SECRET_${project}.`,
        })
      unnamed = project
    }
    const [token, signingSecret] = [own('KEN_SLACK_BOT_TOKEN'), own('KEN_SLACK_SIGNING_SECRET')]
    channels.set(project, openSlackChannel({ ...home, token, signingSecret, api: apiOf(environment) }))
  }
  return channels
}

/** Returns the Slack address. It receives tokens, so it may be unencrypted only on this machine. */
function apiOf(environment: Environment): string {
  const api = environment['KEN_SLACK_API_URL']?.trim() || SLACK
  const { protocol, hostname } = URL.canParse(api) ? new URL(api) : { protocol: '', hostname: '' }
  if (protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)))
    return api.replace(/\/$/, '')
  throw new AppError('invalid_input', 'KEN_SLACK_API_URL must use https.')
}

export interface TeamChannels {
  readonly hooks: ChannelHooks
  /** Answers accepted messages, from this replica or from one that is gone. */
  work(tell: (event: JobEvent) => void): Promise<Worker>
}

export interface TeamChannelsOptions {
  readonly channels: TeamChannelsByProject
  readonly clock: Clock
  readonly publicUrl: string
  contextFor(asked: Asking, origin: Origin, named: NamedPlace): ServerContext
}

export function openTeamChannels(team: Team, options: TeamChannelsOptions): TeamChannels {
  const { channels, clock, publicUrl, contextFor } = options
  const { jobs } = team.work
  const desk: ChannelDesk = {
    clock,
    publicUrl,
    asks: team.channelAsks,
    operations: team.operations,
    channelOf: (project) => channels.get(project),
    callerOf: (project, email) => channelCaller({ ...team, permissionOf: team.parts.permissionOf }, { project, email }),
    contextOf: (caller, project) =>
      contextFor({ caller, source: 'slack' }, { surface: 'http', client: 'slack' }, { project }),
  }
  const nobody = openSlackChannel({ team: '', channels: [], token: '', signingSecret: secret(), api: SLACK })
  return {
    hooks: {
      hookOf: (project) => channels.get(project) ?? nobody,
      take: (project, news) => take(team, clock, project, news),
      now: () => clock.now(),
    },
    async work(tell) {
      if (channels.size === 0) return { stop: async () => undefined }
      const answers: JobHandler = ({ project, payload, tries }, signal) => {
        const { id } = payload as { id: string }
        return answerAsk(desk, { project, id, isLastTry: tries >= MOST_TRIES }, signal)
      }
      const presses: JobHandler = ({ project, payload }) => pressButton(desk, project, payload as Pressed)
      const how = { jobs, lease: LEASE_MS, tell }
      return startWorkers([
        () => runJobs({ ...how, concurrency: ANSWERS, handlers: { 'channel-answer': answers } }),
        () => runJobs({ ...how, concurrency: PRESSES, handlers: { 'channel-press': presses } }),
      ])
    },
  }
}

const secret = (): string => randomBytes(32).toString('hex')

/**
 * Stores a message before the channel is acknowledged, so that accepted messages are never lost; the channel resends
 * all others.
 */
async function take(team: Team, clock: Clock, project: string, news: ChannelNews): Promise<void> {
  const { jobs } = team.work
  if (news.kind === 'ask') {
    if (await team.channelAsks.take(project, news, clock.now().toISOString()))
      await jobs.put(project, [{ kind: 'channel-answer', key: news.id, payload: { id: news.id } }])
  } else if (news.kind === 'press' || news.kind === 'reason') {
    const { place, user, about } = news
    const button = news.kind === 'press' ? news.button : 'down'
    const pressed: Pressed = { place, user, about, button, reason: news.kind === 'reason' ? news.reason : '' }
    await jobs.put(project, [{ kind: 'channel-press', payload: pressed }])
  }
}
