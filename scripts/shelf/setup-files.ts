import { resolvePlace, type Launcher, type SetupScope } from '../../src/setup/domain/client.ts'
import { CLIENTS, clientPlaces, type ClientName } from '../../src/setup/domain/clients.ts'
import { clientChanges } from '../../src/setup/domain/wiring.ts'

/** npx ships with Node: nothing needs to be installed first, and files contain no machine-specific path. */
export const NPX: Launcher = ['npx', '-y', 'kenbase']

const MACHINE = { home: '/home', project: '/project', platform: 'linux', env: {} } as const

/** Files written by `ken setup <client> --with-hooks --with-skills` on an empty folder, by path. */
export function setupFiles(name: ClientName, scope: SetupScope): Readonly<Record<string, string>> {
  const client = CLIENTS[name]
  const places = clientPlaces(MACHINE)
  const changes = clientChanges(
    {
      client,
      scope,
      places,
      platform: MACHINE.platform,
      launcher: NPX,
      serverPath: resolvePlace(client.server[scope].places[0]!, places),
      withHooks: true,
      withSkills: true,
    },
    'add',
  )
  return Object.fromEntries(changes.map((change) => [change.path, change.add(undefined, false).text!]))
}

/** The files below a folder, by relative path. */
export function filesBelow(files: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const below = Object.entries(files).filter(([path]) => path.startsWith(`${folder}/`))
  return Object.fromEntries(below.map(([path, text]) => [path.slice(folder.length + 1), text]))
}

export const prefixed = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
