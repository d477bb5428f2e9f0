import { AppError } from '../kernel/domain/errors.ts'
import { withoutSecrets } from './domain/context-project/secret-fields.ts'
import { SERVERS_FILE, serverKey, type ReadServers, type ServerEntry } from './domain/tool-server/server-config.ts'
import type { ServerOpening } from './ports/tool-servers.ts'

export interface ToolServersGiven {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly openings: readonly ServerOpening[]
}

interface Gate {
  /** Throws unless the user trusts the entry's reach. */
  admit(key: string): void
  fill<T>(value: T): T
}

/** All servers in the file, including unusable ones, so that a person sees why. */
export function serverOpenings({ servers, faults }: ReadServers, { admit, fill }: Gate): readonly ServerOpening[] {
  return [
    ...servers.map((server) => ({
      name: server.name,
      where: whereOf(server),
      off: server.off,
      admit() {
        admit(serverKey(server.name))
        return fill(server.how)
      },
    })),
    ...faults.map(({ name, problem }) => ({
      name: name ?? SERVERS_FILE,
      where: '',
      off: false,
      admit(): never {
        throw new AppError('invalid_input', `${SERVERS_FILE}${name === undefined ? '' : `, "${name}"`}: ${problem}`, {
          hint: `Fix ${SERVERS_FILE}.`,
        })
      },
    })),
  ]
}

const whereOf = ({ how }: ServerEntry): string =>
  how.kind === 'command' ? withoutSecrets('', [how.command, ...how.args].join(' ')) : withoutSecrets('url', how.url)
