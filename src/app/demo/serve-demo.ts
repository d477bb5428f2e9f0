import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { writeText } from '../../surfaces/cli/write-text.ts'
import { exitCodeOf } from '../listen-for-stop.ts'
import type { Environment } from '../settings.ts'
import { webApp } from '../web-app.ts'
import { makeDemo } from './make-demo.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const say = (text: string): void => writeText(process.stderr, text)

/** The web app on the example until Ctrl-C, in a temporary folder that is removed afterwards. */
export async function serveDemo(environment: Environment): Promise<number> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-demo-')))
  const [folder, home] = [join(place, 'orchard'), join(place, 'home')]
  const clear = (): void => rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  const onSignal = (name: NodeJS.Signals): void => {
    clear()
    process.exit(exitCodeOf(name))
  }
  for (const name of SIGNALS) process.once(name, onSignal)
  const stop = new AbortController()
  let making: Promise<void> | undefined
  try {
    mkdirSync(folder)
    mkdirSync(home)
    const own = demoEnvironment(environment, home)
    say('\nThe same to look around in, with a warehouse, sessions and tests:')
    await new Promise<void>((recorded, failed) => {
      making = makeDemo(folder, own, { onRecord: recorded, signal: stop.signal })
      making.catch(failed)
    })
    // The rest of the example is created while the page opens.
    making?.catch((error: unknown) => {
      if (!stop.signal.aborted) say(`ken: The example is not whole: ${toAppError(error).message}`)
    })
    for (const name of SIGNALS) process.off(name, onSignal)
    return await webApp(['--project', folder, '--port', '0'], own, environment)
  } finally {
    stop.abort()
    await making?.catch(() => {})
    clear()
  }
}

/** Variables passed to the example: program lookup, output, and a configured model. */
const PASSED_ON =
  /^(?:path|pathext|systemroot|windir|tmpdir|temp|tmp|tz|lang|lc_[a-z]+|term|no_color|force_color|node_[a-z_]+|ken_[a-z_]+|[a-z_]+_api_key)$/i

/** Separate homes for the example: it reads none of the user's sessions, and no button writes into their files. */
export function demoEnvironment(environment: Environment, home: string): Environment {
  const passed = Object.entries(environment).filter(([name]) => PASSED_ON.test(name))
  return {
    ...Object.fromEntries(passed),
    HOME: home,
    KEN_HOME: join(home, '.ken'),
    NAURO_HOME: join(home, '.nauro'),
    KEN_TELEMETRY: '0',
  }
}
