import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ServiceCommand } from '../memory/domain/upkeep/service-unit.ts'
import type { UserService } from '../memory/ports/user-service.ts'
import type { WatchPost } from '../memory/ports/watch-post.ts'
import type { Environment } from './settings.ts'

export interface ServiceOptions {
  readonly home: string
  readonly userHome: string
  readonly environment: Environment
  readonly launcher: readonly string[]
  readonly post: WatchPost
  readonly platform: NodeJS.Platform
}

/** Opens `ken watch` as a user service, with this system's service manager. */
export async function openUserService(options: ServiceOptions): Promise<UserService> {
  const { home, post } = options
  const [{ openDetachedProcess }, managed] = await Promise.all([
    import('../memory/user-service/process.ts'),
    managedService(options),
  ])
  const detached = openDetachedProcess({
    command: commandOf(options),
    environment: options.environment,
    post,
    folder: home,
  })
  if (managed === undefined) return detached
  return {
    start: () => managed.start(),
    /** Also stops a process started without a service manager, or by hand. */
    async stop() {
      const [wasManaged, wasThere] = [await managed.stop(), await detached.stop()]
      return wasManaged || wasThere
    },
    async state() {
      const state = await managed.state()
      if (state.isInstalled || state.isRunning) return state
      const other = await detached.state()
      return other.isRunning ? other : state
    },
  }
}

async function managedService(options: ServiceOptions): Promise<UserService | undefined> {
  const { userHome, environment, platform } = options
  const command = commandOf(options)
  if (platform === 'darwin') {
    const { openLaunchdService } = await import('../memory/user-service/launchd.ts')
    const folder = join(userHome, 'Library', 'LaunchAgents')
    const label = `dev.kenbase.${serviceName(options)}`
    return openLaunchdService({ label, command, folder, environment, uid: process.getuid?.() ?? 0 })
  }
  if (platform !== 'linux') return undefined
  const { hasSystemd, openSystemdService } = await import('../memory/user-service/systemd.ts')
  if (!(await hasSystemd(environment))) return undefined
  const folder = join(environment['XDG_CONFIG_HOME'] ?? join(userHome, '.config'), 'systemd', 'user')
  return openSystemdService({ name: serviceName(options), command, folder, environment })
}

/** Another home has another memory, and so a separate service. */
const serviceName = ({ home, userHome }: ServiceOptions): string =>
  home === join(userHome, '.ken')
    ? 'ken-watch'
    : `ken-watch-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`

// A service file must not contain secrets, so variables with model keys are not included.
const PASSED_ON =
  /^(?:PATH|HOME|LANG|LC_ALL|TMPDIR|XDG_[A-Z_]+|USERPROFILE|APPDATA|LOCALAPPDATA|SystemRoot|KEN_[A-Z_]+)$/

function commandOf({ home, environment, launcher }: ServiceOptions): ServiceCommand {
  const passed = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED_ON.test(entry[0]),
  )
  return {
    words: [...launcher, 'watch'],
    environment: { ...Object.fromEntries(passed), KEN_HOME: home },
    log: join(home, 'watch.log'),
  }
}
