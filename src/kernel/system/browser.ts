import { spawn } from 'node:child_process'

export interface Desktop {
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Time in which the system's opener can fail; one still running after that has handed over to a browser. */
const PATIENCE_MS = 2000

/**
 * Opens a file in the default browser. The path is one program argument, never part of a command line, and must be
 * absolute, so that it cannot be parsed as an option.
 */
export async function openInBrowser(path: string, desktop: Desktop): Promise<{ problem: string | undefined }> {
  const opener = openerOf(desktop)
  if (opener === undefined) return { problem: 'there is no desktop here' }
  const [program, ...words] = opener
  return new Promise((resolve) => {
    const child = spawn(program!, [...words, path], { stdio: 'ignore', detached: true })
    const done = (problem: string | undefined): void => {
      clearTimeout(patience)
      child.unref()
      resolve({ problem })
    }
    const patience = setTimeout(() => done(undefined), PATIENCE_MS)
    child.on('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ENOENT' ? `${program} is not installed` : error.message),
    )
    child.on('exit', (code) => done(code === 0 ? undefined : `${program} failed`))
  })
}

function openerOf({ platform, environment }: Desktop): readonly string[] | undefined {
  if (platform === 'darwin') return ['open']
  // `start` is a shell built-in that ends up calling this.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  // Without a display xdg-open falls back to terminal browsers, which would block the terminal.
  return environment['DISPLAY'] || environment['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
}
