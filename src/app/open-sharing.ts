import { join } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import type { ServerLogins } from '../team/ports/server-logins.ts'
import type { Sharing } from '../team/ports/sharing.ts'
import { openOwnShares } from '../team/sharing/file.ts'
import { openSharingServer } from '../team/sharing/http.ts'
import { environmentToken } from './environment-token.ts'
import type { Environment } from './settings.ts'

/** Opens the team links of this machine and the connection to their servers. */
export function openSharing(home: string, environment: Environment, logins: ServerLogins): Sharing {
  const token = async (server: string): Promise<string> => {
    const found = environmentToken(environment, { origin: server }) ?? (await logins.tokenFor(server))
    if (found !== undefined) return found
    throw new AppError('forbidden', `You are not logged in to ${server}.`, {
      hint: `Run \`ken auth login ${server}\`, or set KEN_TOKEN, and KEN_SERVER to its address.`,
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
