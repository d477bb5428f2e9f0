import { join } from 'node:path'
import { type ServiceCommand, systemdUnit, UNIT_MARK } from '../domain/upkeep/service-unit.ts'
import type { ServiceState, UserService } from '../ports/user-service.ts'
import { mustRun, runManager, type Environment } from './run-manager.ts'
import { openServiceFile } from './service-file.ts'

export interface SystemdOptions {
  /** Unit name without its extension. */
  readonly name: string
  readonly command: ServiceCommand
  /** Folder of the user's units. */
  readonly folder: string
  readonly environment: Environment
}

/** True if the user's systemd answers; containers and bare `su` logins have none. */
export const hasSystemd = async (environment: Environment): Promise<boolean> =>
  (await runManager('systemctl', ['--user', 'show-environment'], environment)).code === 0

/** A unit of systemd's user manager. */
export function openSystemdService({ name, command, folder, environment }: SystemdOptions): UserService {
  const unit = `${name}.service`
  const file = openServiceFile(join(folder, unit), UNIT_MARK)
  const must = (...words: string[]) => mustRun('systemctl', ['--user', ...words], environment)

  async function state(): Promise<ServiceState> {
    const { out } = await runManager(
      'systemctl',
      ['--user', 'show', unit, '--property=ActiveState,MainPID'],
      environment,
    )
    const pid = Number(/^MainPID=(\d+)$/m.exec(out)?.[1] ?? 0)
    return {
      manager: 'systemd',
      isInstalled: file.isThere(),
      isRunning: /^ActiveState=(?:active|activating|reloading)$/m.test(out),
      pid: pid > 0 ? pid : undefined,
      place: file.path,
    }
  }

  return {
    state,
    async start() {
      const isNew = file.write(systemdUnit(command))
      await must('daemon-reload')
      await must('enable', unit)
      await must(isNew ? 'restart' : 'start', unit)
      return state()
    },
    async stop() {
      if (!file.isThere()) return false
      await must('disable', '--now', unit)
      file.remove()
      await must('daemon-reload')
      return true
    },
  }
}
