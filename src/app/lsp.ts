import { setFlagsFromString } from 'node:v8'
import { ERROR_TABLE } from '../kernel/domain/errors.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { serveLanguage } from '../surfaces/lsp/server.ts'
import { faultTracer } from './fault-tracer.ts'
import { openKen } from './open.ts'
import type { Environment } from './settings.ts'
import { VERSION } from './version.ts'

const HELP = `Usage: ken lsp [--stdio]

The language server that editors start: decisions where code is written, on standard input and output.
Diagnostics, hovers, links, completion and code actions for files in a repository with a trusted record.
The guide docs/guides/editor.md has the lines for VS Code, Neovim, Helix, Zed, Emacs and JetBrains.
`

const say = (message: string): void => writeText(process.stderr, `ken: ${message}`)

/** `ken lsp`. Standard output is reserved for the protocol, so everything else goes to standard error. */
export async function lsp(argv: readonly string[], environment: Environment): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    writeText(process.stdout, HELP)
    return 0
  }
  // Editors add these by themselves.
  const unknown = argv.find((word) => word !== '--stdio' && !/^--clientProcessId=\d+$/.test(word))
  if (unknown !== undefined) {
    writeText(process.stderr, `ken: "${unknown}" is not an option. See \`ken lsp --help\`.\n`)
    return ERROR_TABLE.invalid_input.exit
  }
  // A mostly idle server does not need much space for new objects.
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    const trace = faultTracer(environment)
    const ken = openKen(environment, say)
    const server = serveLanguage({
      version: VERSION,
      input: process.stdin,
      output: process.stdout,
      context: (cwd) => ken.context({ origin: { surface: 'editor' }, cwd, startedIn: process.cwd() }),
      ...(trace && { trace }),
    })
    await new Promise<void>((stop) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop())
    })
    server.stop()
    await ken.close()
    return 0
  } catch (thrown) {
    const error = toAppError(thrown)
    say(error.line)
    return ERROR_TABLE[error.code].exit
  }
}
