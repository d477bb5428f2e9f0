import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/domain/errors.ts'
import type { ServiceCommand } from '../domain/upkeep/service-unit.ts'
import type { ServiceState, UserService } from '../ports/user-service.ts'
import type { WatchPost } from '../ports/watch-post.ts'

const PAUSE = 100
const TO_START = 20_000
// The current step is finished first, which may be a long session.
const TO_END = 30_000

export interface DetachedOptions {
  readonly command: ServiceCommand
  /** Never written to disk, so it may contain model keys. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly post: WatchPost
  /** Working directory; should never need to be unmounted. */
  readonly folder: string
}

/** A detached process, for systems without a service manager: it ends when the machine stops and is not restarted. */
export function openDetachedProcess({ command, environment, post, folder }: DetachedOptions): UserService {
  const state = async (): Promise<ServiceState> => {
    const holder = post.holder()
    return {
      manager: 'none',
      isInstalled: holder !== undefined,
      isRunning: holder !== undefined,
      pid: holder?.pid,
      place: command.log,
    }
  }

  return {
    state,
    async start() {
      if (post.holder() !== undefined) return state()
      const log = openSync(command.log, 'w', 0o600)
      const [program, ...words] = command.words as [string, ...string[]]
      const child = spawn(program, words, {
        cwd: folder,
        env: { ...environment, ...command.environment },
        detached: true,
        stdio: ['ignore', log, log],
        windowsHide: true,
      })
      closeSync(log)
      let ended: string | undefined
      child.on('error', (error) => (ended = error.message))
      child.on('exit', () => (ended ??= lastLine(command.log)))
      child.unref()
      for (let waited = 0; waited < TO_START && ended === undefined; waited += PAUSE) {
        if (post.holder() !== undefined) return state()
        await sleep(PAUSE)
      }
      throw new AppError('unavailable', `The process did not start: ${ended ?? 'no response'}`, {
        hint: `See ${command.log} for details; \`ken watch\` in a terminal does the same.`,
      })
    },
    async stop() {
      const holder = post.holder()
      if (holder === undefined) return false
      process.kill(holder.pid, 'SIGTERM')
      for (let waited = 0; waited < TO_END; waited += PAUSE) {
        if (post.holder()?.pid !== holder.pid) return true
        await sleep(PAUSE)
      }
      throw new AppError('unavailable', `Process ${holder.pid} is stopping but still busy.`, {
        hint: 'It stops after the current step; check with `ken watch --status`.',
      })
    },
  }
}

function lastLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? ''
  } catch {
    return ''
  }
}
