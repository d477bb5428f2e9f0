import { join } from 'node:path'
import { openOwnShares } from '../adapters/sharing/file/index.ts'
import { openSharingServer } from '../adapters/sharing/http/index.ts'
import { AppError } from '../core/errors.ts'
import { serverOrigin } from '../core/team/server-address.ts'
import type { ServerLogins } from '../ports/server-logins.ts'
import type { Sharing } from '../ports/sharing.ts'
import type { Environment } from './settings.ts'

/** What this machine shares with team servers, and the way there. */
export function openSharing(home: string, environment: Environment, logins: ServerLogins): Sharing {
  const given = loginsOfEnvironment(environment)
  const token = async (server: string): Promise<string> => {
    const found = (await given.tokenFor(server)) ?? (await logins.tokenFor(server))
    if (found !== undefined) return found
    throw new AppError('forbidden', `You are not logged in to ${server}.`, {
      hint: `Run \`ken auth login ${server}\`, or put a token into KEN_TOKEN and the address it is for into KEN_SERVER.`,
    })
  }
  return {
    ...openOwnShares(join(home, 'shares.json')),
    async server(server, project) {
      await token(server)
      return openSharingServer({ server, project, token: () => token(server) })
    },
  }
}

/** KEN_TOKEN is for the server that KEN_SERVER names: no other is ever shown it. */
const loginsOfEnvironment = (environment: Environment): ServerLogins => ({
  async tokenFor(server) {
    const [token, named] = [environment['KEN_TOKEN']?.trim(), environment['KEN_SERVER']?.trim()]
    if (!token || !named) return undefined
    return serverOrigin(named) === server ? token : undefined
  },
})
