import { KNOWN_NAMES, mentionsIn } from '../names/mentions.ts'
import { isRejected } from '../names/stance.ts'
import { resourcesIn } from './cloud-resources.ts'

const CONFIG =
  /(?:^|\/)\.env(?:\.[\w.-]+)?$|(?:^|\/)[\w.-]+\.env$|\.(?:tf|tfvars|hcl|ya?ml|ini|properties|conf|cfg|nomad|service)$|(?:^|\/)(?:Procfile|\.tool-versions)$|(?:^|\/)(?:appsettings|config|settings|application)[^/]*\.(?:json|toml)$/
const SCRIPT = /\.(?:sh|bash|zsh|fish|ps1|mk)$|(?:^|\/)(?:Makefile|justfile|Taskfile\.ya?ml|Vagrantfile)$/

/** Files that name or address the services a program runs with. */
export const isConfig = (path: string): boolean => CONFIG.test(path) || SCRIPT.test(path)

/** Keys with text for people, which may name anything. */
const FOR_PEOPLE =
  /^\s*(?:-\s+)?["']?(?!name["']?\s*[:=]\s*["']?[A-Z][A-Z0-9]*_[A-Z0-9_]+["']?\s*$)(?:description|comment|summary|title|message|help|label|note|notes|reason|name|text|changelog)["']?\s*[:=]|^\s*(?:echo|printf|log|print|Write-Host)\b/i
/** A line of a multi-line text, as in `description: |`. */
const PROSE = /^\s*[\w"'(*`-]+(?:[ ,]+[\w"'()*`.-]+){3,}[.,;:!?]?\s*$/
/** Exclusions, which name a thing in order to forbid it. */
const KEPT_OUT =
  /restrict|banned|forbid|deny|disallow|ignore|exclude|blocklist|prohibit|uninstall|\bfalse\b|disabled|apt-get (?:remove|purge)|\brm\b/i

/**
 * The things of the alias table and the cloud resources that a line of configuration or a script names: `engine = "redis"`, `REDIS_URL=…`,
 * `docker run redis:7`.
 */
export function configNames(path: string, line: string): string[] {
  if (/^\s*(?:#|\/\/|;|\*|<!--)/.test(line)) return []
  const code = line.replace(/\s(?:#|\/\/)\s.*$/, '')
  const resources = resourcesIn(path, code)
  if (FOR_PEOPLE.test(line) || KEPT_OUT.test(line) || (!SCRIPT.test(path) && PROSE.test(code))) return resources
  const named = mentionsIn(code, KNOWN_NAMES)
    .filter(({ start, end, isOrdinary }) => !isOrdinary && !isRejected(code, start, end))
    .map(({ spelled }) => spelled)
  return [...resources, ...named, ...(/^apiVersion:\s*\S/.test(code) ? ['Kubernetes'] : [])]
}
