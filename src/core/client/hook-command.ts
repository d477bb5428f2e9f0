import type { HookEvent, Launcher } from './client.ts'

/** One shell line that runs a hook. Written into client files, and recognised there whatever the launcher is. */
export function hookCommand(launcher: Launcher, hook: { event: HookEvent; client: string; platform: string }): string {
  return [...launcher.map((word) => quote(word, hook.platform)), 'hook', hook.event, '--client', hook.client].join(' ')
}

export const isHookCommand = (command: unknown, hook: { event: HookEvent; client: string }): boolean =>
  typeof command === 'string' && new RegExp(`\\shook ${hook.event} --client ${hook.client}$`).test(command.trim())

function quote(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word) || (platform === 'win32' && /^[\w@%+=:,./\\-]+$/.test(word))) return word
  return platform === 'win32' ? `"${word.replaceAll('"', '""')}"` : `'${word.replaceAll("'", `'\\''`)}'`
}
