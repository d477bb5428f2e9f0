import { AppError } from '../../../kernel/domain/errors.ts'
import { isUlid } from '../../../kernel/domain/project/config.ts'

/** The tenant of an app, and the channels it serves. */
export interface TeamsHome {
  readonly tenant: string
  /** Channels the app answers in; if empty, every channel of a team that it was added to. */
  readonly channels: readonly string[]
}

const ENTRY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/(19:[\w-]{1,120}@thread\.[a-z0-9]{1,20}))?=(\w{26})$/i

/** The project for each place, from `KEN_TEAMS_PROJECTS`: `<tenant>=01M7…,<tenant>/19:…@thread.tacv2=01M8…`. */
export function readTeamsProjects(text: string): ReadonlyMap<string, TeamsHome> {
  const homes = new Map<string, TeamsHome>()
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (entry === '') continue
    const [, tenant, channel, project] = ENTRY.exec(entry) ?? []
    if (tenant === undefined || !isUlid(project!.toUpperCase()))
      throw refused('has an invalid entry', 'Write tenant=project or tenant/channel=project, with their ids.')
    const id = project!.toUpperCase()
    const known = homes.get(id)
    if (known && (known.tenant !== tenant.toLowerCase() || known.channels.length === 0 || channel === undefined))
      throw refused(`names project ${id} in two ways`, 'A project has one tenant: all of its channels, or some.')
    const channels = [...(known?.channels ?? []), ...(channel === undefined ? [] : [channel])]
    homes.set(id, { tenant: tenant.toLowerCase(), channels })
  }
  return homes
}

const refused = (what: string, hint: string): AppError =>
  new AppError('invalid_input', `KEN_TEAMS_PROJECTS ${what}.`, { hint })
