import { AppError } from '../../../kernel/domain/errors.ts'
import { isUlid } from '../../../kernel/domain/project/config.ts'
import type { SlackHome } from './read-slack.ts'

/** The project for each place, from `KEN_SLACK_PROJECTS`: `T012AB3C4=01M7…,T012AB3C4/C024BE91L=01M8…`. */
export function readSlackProjects(text: string): ReadonlyMap<string, SlackHome> {
  const homes = new Map<string, SlackHome>()
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (entry === '') continue
    const [, team, channel, project] = /^(T[A-Z0-9]{1,30})(?:\/([CG][A-Z0-9]{1,30}))?=(\w{26})$/.exec(entry) ?? []
    if (team === undefined || !isUlid(project!.toUpperCase()))
      throw refused('has an entry that is none', 'Write team=project or team/channel=project, with their ids.')
    const id = project!.toUpperCase()
    const known = homes.get(id)
    if (known !== undefined && (known.team !== team || known.channels.length === 0 || channel === undefined))
      throw refused(`names project ${id} in two ways`, 'A project has one workspace: all of its channels, or some.')
    homes.set(id, { team, channels: [...(known?.channels ?? []), ...(channel === undefined ? [] : [channel])] })
  }
  return homes
}

const refused = (what: string, hint: string): AppError =>
  new AppError('invalid_input', `KEN_SLACK_PROJECTS ${what}.`, { hint })
