import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import { openLease } from '../kernel/lease/sqlite/index.ts'
import type { Projects, RegisteredProject } from '../kernel/ports/projects.ts'
import { openProjectTeams } from '../kernel/projects/project-teams.ts'
import { recordStateFolder } from '../kernel/system/record-state-folder.ts'
import { openTeamCopy } from '../team/adapters/sqlite-team-copy.ts'
import { serverOrigin } from '../team/domain/server-address.ts'
import type { ServerLogins } from '../team/ports/server-logins.ts'
import type { TeamLinks } from '../team/ports/team-links.ts'
import { openTeamServer } from '../team/team-record/http/index.ts'
import { environmentToken } from './environment-token.ts'
import type { Environment } from './settings.ts'

export interface TeamLinksParts {
  readonly home: string
  readonly environment: Environment
  readonly logins: ServerLogins
  readonly projects: Pick<Projects, 'list'>
}

/** Links between records on this machine and team records. */
export function openTeamLinks({ home, environment, logins, projects }: TeamLinksParts): TeamLinks {
  const teams = openProjectTeams(home)
  const stateOf = ({ location }: RegisteredProject): string =>
    recordStateFolder(join(home, 'records'), existsSync(location) ? realpathSync(location) : location)
  const registered = async (id: string): Promise<RegisteredProject> =>
    (await projects.list()).find((project) => project.id === id)!

  return {
    async server(url, { isNamed }) {
      const origin = serverOrigin(url)
      const token = environmentToken(environment, { origin, isNamed }) ?? (await logins.tokenFor(origin))
      if (token === undefined)
        throw new AppError('forbidden', `You are not logged in at ${new URL(origin).host}.`, {
          hint: `Run \`ken auth login ${origin}\`, or set KEN_TOKEN.`,
        })
      return openTeamServer({ url: origin, token })
    },
    copy: async (project) => openTeamCopy(join(stateOf(project), 'team.db')),
    lease: async (project, purpose) => openLease(join(stateOf(project), `team-${purpose}.db`)),
    async link(id, team) {
      teams.link(id, team)
      return registered(id)
    },
    async unlink(project) {
      teams.unlink(project.id)
      for (const end of ['', '-wal', '-shm']) rmSync(join(stateOf(project), `team.db${end}`), { force: true })
      return registered(project.id)
    },
    async adopt(project, team, repository) {
      teams.adopt(project, team, repository)
      return registered(project.id)
    },
  }
}
