import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from './settings.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/ken.js', import.meta.url))

/**
 * The command written to client files. The npx cache may be emptied, so a Ken run from there is written as npx again;
 * an installed `ken` by its own name, and a clone by its path.
 */
export function launcherCommand(environment: Environment, launcher = LAUNCHER, platform = process.platform) {
  // On Windows npx is a cmd.exe script, which clients cannot start directly.
  if (/[\\/]_npx[\\/]/.test(launcher))
    return platform === 'win32' ? ['cmd', '/c', 'npx', '-y', 'kenbase'] : ['npx', '-y', 'kenbase']
  const installed = (environment['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'ken'))
    .find((path) => !path.includes('node_modules') && isSame(path, launcher))
  return installed === undefined ? [process.execPath, launcher] : [installed]
}

const isSame = (path: string, launcher: string): boolean =>
  existsSync(path) && realpathSync(path) === realpathSync(launcher)
