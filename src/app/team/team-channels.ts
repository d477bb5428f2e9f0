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
import type { ChannelNews } from '../../team/domain/channel/channel-post.ts'
import type { ChatChannel } from '../../team/ports/chat-channel.ts'
import { runJobs, startWorkers, type JobEvent, type JobHandler, type Worker } from '../run-jobs.ts'
import type { Environment } from '../settings.ts'
import { openSlackChannels, openTeamsChannels, SLACK } from './channel-settings.ts'
import type { Team } from './open-team.ts'
import type { ServerContext } from './team-context.ts'
import type { Asking } from './team-mcp.ts'

/** Concurrent channel answers per replica, separate from its other jobs: an answer takes minutes. */
const [ANSWERS, PRESSES] = [8, 4]
// Delay in milliseconds before an answer left by a dead replica is taken over. A turn has the same lease.
const LEASE_MS = 15_000

export type TeamChannelsByProject = ReadonlyMap<string, ChatChannel>

/** The channels of projects from the server's environment; empty if none are set. */
export function openChannels(environment: Environment): TeamChannelsByProject {
  const [slack, teams] = [openSlackChannels(environment), openTeamsChannels(environment)]
  const both = [...slack.keys()].find((project) => teams.has(project))
  if (both !== undefined)
    throw new AppError('invalid_input', `Project ${both} is in KEN_SLACK_PROJECTS and KEN_TEAMS_PROJECTS.`, {
      hint: 'A project answers in one of them.',
    })
  return new Map([...slack, ...teams])
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
  const nameOf = (project: string): string => channels.get(project)?.name ?? ''
  const desk: ChannelDesk = {
    clock,
    publicUrl,
    asks: team.channelAsks,
    operations: team.operations,
    channelOf: (project) => channels.get(project),
    callerOf: (project, email) => channelCaller({ ...team, permissionOf: team.parts.permissionOf }, { project, email }),
    contextOf: (caller, project) =>
      contextFor({ caller, source: nameOf(project) }, { surface: 'http', client: nameOf(project) }, { project }),
  }
  const nobody = {
    slack: openSlackChannel({ team: '', channels: [], token: '', signingSecret: secret(), api: SLACK }),
    teams: { read: async () => undefined, askReason: async () => undefined },
  }
  return {
    hooks: {
      hookOf(name, project) {
        const channel = channels.get(project)
        return channel?.name === name ? channel : nobody[name]
      },
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
