import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { promisify } from 'node:util'
import { AppError } from '../../kernel/domain/errors.ts'

/**
 * The registry that npm uses. Determined from the user's home, so that a repository cannot name a different registry.
 */
export async function npmRegistry(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'], {
      cwd: homedir(),
      shell: process.platform === 'win32',
    })
    return new URL(stdout.trim()).href
  } catch (cause) {
    throw new AppError('unavailable', 'Can’t read the registry setting of npm', {
      hint: 'Set one with `ken config set models.registry`, or pass the package file with --from.',
      cause,
    })
  }
}
