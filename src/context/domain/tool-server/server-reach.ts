import type { ConfigEntry } from '../context-project/config.ts'
import { SECRET_VARIABLE } from '../context-project/references.ts'
import type { Reached } from '../context-project/source-rules.ts'
import { SERVERS_FILE, type ServerEntry } from './server-config.ts'

export const serverKey = (name: string): string => `mcp/${name}`

/** Server entry for trust: everything that determines which program runs, or which data is sent where. */
export function serverConfigEntry({ name, how }: ServerEntry): ConfigEntry {
  const given = Object.entries(how.kind === 'command' ? how.env : how.headers)
  return {
    key: serverKey(name),
    name,
    list: SERVERS_FILE,
    value: how,
    secrets: given.map(([field]) => field).filter((field) => SECRET_VARIABLE.test(field) || /cookie/i.test(field)),
    reaches: [
      ...(how.kind === 'command' ? [{ runs: [how.command, ...how.args] }] : addressOf(how)),
      ...given
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([field, value]) => ({ gives: how.kind === 'command' ? 'variable' : 'header', field, value }) as const),
    ],
  }
}

function addressOf({ url, isPrivate }: Extract<ServerEntry['how'], { kind: 'address' }>): readonly Reached[] {
  return [{ fetches: url, ...(isPrivate && { with: 'addresses of a private network allowed' }) }]
}
