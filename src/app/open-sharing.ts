import { join } from 'node:path'
import { openOwnShares } from '../adapters/sharing/file/index.ts'
import { openSharingServer } from '../adapters/sharing/http/index.ts'
import { AppError } from '../core/errors.ts'
import type { ServerLogins } from '../ports/server-logins.ts'
import type { Sharing } from '../ports/sharing.ts'
import { environmentToken } from './environment-token.ts'
import type { Environment } from './settings.ts'

/** What this machine shares with team servers, and the way there. */
export function openSharing(home: string, environment: Environment, logins: ServerLogins): Sharing {
  const token = async (server: string): Promise<string> => {
    const found = environmentToken(environment, { origin: server }) ?? (await logins.tokenFor(server))
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
