import { spawn } from 'node:child_process'
import { launcherCommand } from './launcher.ts'
import type { Environment } from './settings.ts'

/** Starts a sync that this process does not wait for: the write is already acknowledged. */
export function syncLater(project: string, environment: Environment): void {
  const [command, ...words] = launcherCommand(environment)
  // If it cannot start, the next sync catches up.
  spawn(command!, [...words, 'sync', 'team', '--background', '--project', project, '--json'], {
    detached: true,
    stdio: 'ignore',
    env: environment as NodeJS.ProcessEnv,
  })
    .on('error', () => undefined)
    .unref()
}
