import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelKeys } from '../analyst/ports/model-keys.ts'
import { CONTEXT_FOLDER } from '../context/domain/context-project/scaffold.ts'
import { isKenPart } from '../kernel/domain/home-parts.ts'
import { openBoundedFolder } from '../kernel/system/bounded-folder.ts'
import type { UserService } from '../memory/ports/user-service.ts'
import type { FindLeftovers, Leftover } from '../setup/ports/leftovers.ts'

export interface LeftoversParts {
  readonly home: string
  readonly modelKeys: ModelKeys
  userService(): Promise<UserService>
}

/** Finds the items that `ken uninstall` removes in addition to client files. */
export const openLeftovers =
  ({ home, modelKeys, userService }: LeftoversParts): FindLeftovers =>
  async (repositories, { data }) => [
    ...(await serviceOf(await userService())),
    ...(await keysIn(modelKeys)),
    ...(await loginsIn(home)),
    ...(await Promise.all(repositories.map(gitSettings))).flat(),
    ...(data ? [...(await Promise.all(repositories.map(contextIn))).flat(), ...homeFolder(home)] : []),
  ]

async function serviceOf(service: UserService): Promise<Leftover[]> {
  const { isInstalled, isRunning, place } = await service.state()
  if (!isInstalled && !isRunning) return []
  return [{ kind: 'service', what: place, remove: async () => void (await service.stop()) }]
}

async function keysIn(modelKeys: ModelKeys): Promise<Leftover[]> {
  const { keys } = await modelKeys.list()
  return keys
    .filter(({ source }) => source === 'keychain')
    .map(({ provider }) => ({
      kind: 'key',
      what: provider,
      remove: async () => void (await modelKeys.remove(provider)),
    }))
}

/** Also signs out on each server that can be reached. */
async function loginsIn(home: string): Promise<Leftover[]> {
  const [{ openLoginDesk }, { logOut }] = await Promise.all([
    import('./auth/open-logins.ts'),
    import('../team/log-out.ts'),
  ])
  const desk = openLoginDesk(home)
  return (await desk.shelf.list()).map(({ server }) => ({
    kind: 'login',
    what: server,
    remove: async () => void (await logOut(server, desk)),
  }))
}

async function gitSettings(root: string): Promise<Leftover[]> {
  const { openRepository } = await import('../record/repository/index.ts')
  const repository = await openRepository(root)
  if ((await repository?.setting('merge.ken.driver')) === undefined) return []
  return [
    {
      kind: 'merge driver',
      what: root,
      async remove() {
        for (const key of ['merge.ken.driver', 'merge.ken.name']) await repository?.configure(key, undefined)
      },
    },
  ]
}

async function contextIn(root: string): Promise<Leftover[]> {
  const folder = join(root, ...CONTEXT_FOLDER.split('/'))
  if (!existsSync(join(folder, 'ken.yaml'))) return []
  const kept = await reasonToKeep(root, folder)
  const remove = async (): Promise<void> => {
    // Checked again: the folder may have been replaced while the user read the list.
    rmSync(openBoundedFolder(root).locate(CONTEXT_FOLDER), { recursive: true, force: true })
    removeIfEmpty(join(root, '.ken'))
  }
  return [{ kind: 'context', what: folder, ...(kept !== undefined && { kept }), remove }]
}

async function reasonToKeep(root: string, folder: string): Promise<string | undefined> {
  try {
    openBoundedFolder(root).locate(CONTEXT_FOLDER)
  } catch {
    return 'a link leads out of the repository'
  }
  const { openRepository } = await import('../record/repository/index.ts')
  return (await (await openRepository(root))?.isTracked(folder)) ? 'git tracks it' : undefined
}

/** Keeps files in Ken's folder that are not Ken's, and in that case also keeps the folder. */
function homeFolder(home: string): Leftover[] {
  if (!existsSync(home)) return []
  const remove = async (): Promise<void> => {
    for (const name of readdirSync(home).filter(isKenPart))
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 })
    removeIfEmpty(home)
  }
  return [{ kind: 'data', what: home, remove }]
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}
