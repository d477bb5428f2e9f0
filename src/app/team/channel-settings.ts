import { AppError } from '../../kernel/domain/errors.ts'
import { openSlackChannel } from '../../team/chat-channel/index.ts'
import { openTeamsChannel } from '../../team/chat-channel/teams.ts'
import { readSlackProjects } from '../../team/domain/slack/slack-apps.ts'
import { readTeamsProjects } from '../../team/domain/teams/teams-projects.ts'
import type { ChatChannel } from '../../team/ports/chat-channel.ts'
import type { Environment } from '../settings.ts'
import { neededOf } from './care-given.ts'

export const SLACK = 'https://slack.com/api'
const LOGIN = 'https://login.microsoftonline.com'
const METADATA = 'https://login.botframework.com/v1/.well-known/openidconfiguration'
const SERVICES = 'https://smba.trafficmanager.net'

export function openSlackChannels(environment: Environment): ReadonlyMap<string, ChatChannel> {
  const homes = readSlackProjects(environment['KEN_SLACK_PROJECTS']?.trim() ?? '')
  const own = ownOf(environment, { app: 'Slack', names: ['KEN_SLACK_BOT_TOKEN', 'KEN_SLACK_SIGNING_SECRET'] })
  const channels = new Map<string, ChatChannel>()
  for (const [project, home] of homes) {
    const [token, signingSecret] = own(project) as [string, string]
    const api = addressOf(environment, 'KEN_SLACK_API_URL', SLACK)
    channels.set(project, openSlackChannel({ ...home, token, signingSecret, api }))
  }
  return channels
}

export function openTeamsChannels(environment: Environment): ReadonlyMap<string, ChatChannel> {
  const homes = readTeamsProjects(environment['KEN_TEAMS_PROJECTS']?.trim() ?? '')
  const own = ownOf(environment, { app: 'Teams', names: ['KEN_TEAMS_APP_PASSWORD', 'KEN_TEAMS_APP_ID'] })
  const channels = new Map<string, ChatChannel>()
  for (const [project, home] of homes) {
    const [password, appId] = own(project) as [string, string]
    const services = (environment['KEN_TEAMS_SERVICES']?.trim() || SERVICES)
      .split(',')
      .map((one) => secure(one.trim(), 'KEN_TEAMS_SERVICES'))
    channels.set(
      project,
      openTeamsChannel({
        ...home,
        appId,
        password,
        login: addressOf(environment, 'KEN_TEAMS_LOGIN_URL', LOGIN),
        metadata: addressOf(environment, 'KEN_TEAMS_METADATA_URL', METADATA),
        services: services.map((one) => new URL(one).origin),
      }),
    )
  }
  return channels
}

/**
 * Returns the variables of a project's app: its own, which end with its id, or the common ones. Throws if a second
 * project would use the common app, which sends everything to one address.
 */
function ownOf(
  environment: Environment,
  { app, names }: { readonly app: string; readonly names: readonly string[] },
): (project: string) => readonly string[] {
  let unnamed: string | undefined
  return (project) => {
    const isOwn = (name: string): boolean => Boolean(environment[`${name}_${project}`]?.trim())
    if (!isOwn(names.at(-1)!)) {
      if (unnamed !== undefined)
        throw new AppError('invalid_input', `Two projects use the same ${app} app, which can serve only one.`, {
          hint: `Create an app for each, and set ${names.map((name) => `${name}_${project}`).join(' and ')}.`,
        })
      unnamed = project
    }
    return names.map((name) => neededOf(environment, isOwn(name) ? `${name}_${project}` : name))
  }
}

const addressOf = (environment: Environment, name: string, usual: string): string =>
  secure(environment[name]?.trim() || usual, name)

/** Returns an address that receives tokens or is trusted for keys, so it may be unencrypted only on this machine. */
function secure(address: string, name: string): string {
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : { protocol: '', hostname: '' }
  if (protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)))
    return address.replace(/\/$/, '')
  throw new AppError('invalid_input', `${name} must use https.`)
}
