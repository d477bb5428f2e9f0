import { join } from 'node:path'
import type { Environment } from '../settings.ts'

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
