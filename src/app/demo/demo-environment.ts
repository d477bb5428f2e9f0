import { join } from 'node:path'
import type { Environment } from '../settings.ts'

/** What the example may know of the machine: how programs are found, how to write, and a model that was named. */
const PASSED_ON =
  /^(?:path|pathext|systemroot|windir|tmpdir|temp|tmp|tz|lang|lc_[a-z]+|term|no_color|force_color|node_[a-z_]+|ken_[a-z_]+|[a-z_]+_api_key)$/i

/** Homes of its own for the example: it reads no session of the user's, and no button of it writes into their files. */
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
