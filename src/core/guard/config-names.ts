import { KNOWN_NAMES, mentionsIn } from '../names/mentions.ts'
import { isTurnedAway } from '../names/stance.ts'

const CONFIG =
  /(?:^|\/)\.env(?:\.[\w.-]+)?$|(?:^|\/)[\w.-]+\.env$|\.(?:tf|tfvars|hcl|ya?ml|ini|properties|conf|cfg|nomad)$|(?:^|\/)Procfile$/

/** Files that say by names and addresses what a program runs with. */
export const isConfig = (path: string): boolean => CONFIG.test(path)

/** What stands there is for people, and may name anything. */
const FOR_PEOPLE =
  /^\s*(?:-\s+)?["']?(?:description|comment|summary|title|message|help|label|note|notes|reason|run|name|text|changelog)["']?\s*[:=]/i

/** The things of the alias table that a line of configuration names: `engine = "redis"`, `REDIS_URL=…`, `kind: Deployment`. */
export function configNames(line: string): string[] {
  if (/^\s*(?:#|\/\/|;|\*|<!--)/.test(line) || FOR_PEOPLE.test(line)) return []
  const code = line.replace(/\s(?:#|\/\/)\s.*$/, '')
  const named = mentionsIn(code, KNOWN_NAMES)
    .filter(({ start, end, isOrdinary }) => !isOrdinary && !isTurnedAway(code, start, end))
    .map(({ spelled }) => spelled)
  return /^apiVersion:\s*\S/.test(code) ? [...named, 'Kubernetes'] : named
}
