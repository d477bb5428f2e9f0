import { posixWord, windowsWord } from '../shell-word.ts'
import type { HookEvent, Launcher } from './client.ts'

/** One shell line that runs a hook. Written into client files, and recognised there whatever the launcher is. */
export function hookCommand(launcher: Launcher, hook: { event: HookEvent; client: string; platform: string }): string {
  return [
    ...launcher.map(hook.platform === 'win32' ? windowsWord : posixWord),
    'hook',
    hook.event,
    '--client',
    hook.client,
  ].join(' ')
}

export const isHookCommand = (command: unknown, hook: { event: HookEvent; client: string }): boolean =>
  typeof command === 'string' && new RegExp(`\\shook ${hook.event} --client ${hook.client}$`).test(command.trim())
