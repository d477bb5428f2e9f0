import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { AppError } from '../../core/errors.ts'

const PATIENCE = 300_000

/** Nothing of a repository may run here: no hooks, no helpers for strange protocols, no questions at the terminal. */
const SEALED = ['-c', 'core.hooksPath=/dev/null', '-c', 'protocol.ext.allow=never', '-c', 'core.askPass=', '-c', 'credential.interactive=false', '-c', 'core.fsmonitor=false']

export function git(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('git', [...SEALED, ...words], { maxBuffer: 512 * 1024 * 1024, timeout: PATIENCE, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new AppError('unavailable', `git: ${lastLine(stderr) || error.message.split('\n')[0]}`, { hint: 'Check the address and the branch in ken.yaml, and that git may read it.', cause: error }))
    })
  })
}

/** The tip of the branch, without history, in a bare repository. */
export async function fetchBranch({ url, branch, clone }: { readonly url: string; readonly branch: string | undefined; readonly clone: string }): Promise<void> {
  if (url.startsWith('-') || branch?.startsWith('-')) throw new AppError('invalid_input', 'An address or branch cannot begin with a dash.', { hint: 'Change it in ken.yaml.' })
  await mkdir(clone, { recursive: true, mode: 0o700 })
  await git(['init', '-q', '--bare', clone])
  await git(['-C', clone, 'fetch', '-q', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--', url, branch ?? 'HEAD'])
}

const lastLine = (text: string): string => text.trim().split('\n').findLast((line) => /^(?:fatal|error|remote):/.test(line)) ?? text.trim().split('\n').at(-1) ?? ''
