import { join } from 'node:path'
import { launchdPlist, PLIST_MARK, type ServiceCommand } from '../domain/upkeep/service-unit.ts'
import type { ServiceState, UserService } from '../ports/user-service.ts'
import { mustRun, runManager, type Environment } from './run-manager.ts'
import { openServiceFile } from './service-file.ts'

export interface LaunchdOptions {
  readonly label: string
  readonly command: ServiceCommand
  /** The launchd agents folder. */
  readonly folder: string
  readonly environment: Environment
  readonly uid: number
}

/** A launchd agent in the user's session. */
export function openLaunchdService({ label, command, folder, environment, uid }: LaunchdOptions): UserService {
  const file = openServiceFile(join(folder, `${label}.plist`), PLIST_MARK)
  const target = `gui/${uid}/${label}`
  const look = () => runManager('launchctl', ['print', target], environment)

  async function state(): Promise<ServiceState> {
    const { code, out } = await look()
    const pid = Number(/^\s*pid = (\d+)$/m.exec(out)?.[1] ?? 0)
    return {
      manager: 'launchd',
      isInstalled: file.isThere(),
      isRunning: code === 0 && pid > 0,
      pid: pid > 0 ? pid : undefined,
      place: file.path,
    }
  }

  return {
    state,
    async start() {
      const isNew = file.write(launchdPlist(label, command))
      const isLoaded = (await look()).code === 0
      if (isLoaded && isNew) await mustRun('launchctl', ['bootout', target], environment)
      if (isNew || !isLoaded) await mustRun('launchctl', ['bootstrap', `gui/${uid}`, file.path], environment)
      return state()
    },
    async stop() {
      if (!file.isThere()) return false
      if ((await look()).code === 0) await mustRun('launchctl', ['bootout', target], environment)
      return file.remove()
    },
  }
}
