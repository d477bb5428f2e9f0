import { KNOWN_NAMES, mentionsIn } from '../names/mentions.ts'
import { isRejected } from '../names/stance.ts'

const CONFIG =
  /(?:^|\/)\.env(?:\.[\w.-]+)?$|(?:^|\/)[\w.-]+\.env$|\.(?:tf|tfvars|hcl|ya?ml|ini|properties|conf|cfg|nomad|service)$|(?:^|\/)(?:Procfile|\.tool-versions)$|(?:^|\/)(?:appsettings|config|settings|application)[^/]*\.(?:json|toml)$/
const SCRIPT = /\.(?:sh|bash|zsh|fish|ps1|mk)$|(?:^|\/)(?:Makefile|justfile|Taskfile\.ya?ml|Vagrantfile)$/

/** Files that name or address the services that a program uses. */
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

/** True for documents of any kind, including cloud templates: only the resources in them count. */
export const mayDescribeCloud = (path: string): boolean => /\.(?:jsonc?|template|bicep)$/.test(path)

/**
 * The cloud resources that a line requests, as named by CloudFormation, ARM, Bicep, Terraform and the Serverless
 * Framework: `AWS::KMS::Key`, `Microsoft.ServiceBus/namespaces`, `aws_kms_key`.
 */
export function resourcesIn(path: string, line: string): string[] {
  const types = [...line.matchAll(RESOURCE)].map(([, aws, microsoft, terraform]) => (aws ?? microsoft ?? terraform)!)
  return [
    ...types.flatMap((type) => [type, ...asAzure(type)]),
    ...(line.includes('AWSTemplateFormatVersion') ? ['CloudFormation'] : []),
    ...(/(?:^|\/)serverless\.(?:ya?ml|json)$/.test(path) ? serverlessNames(line) : []),
  ]
}

const RESOURCE =
  /\b(AWS::[A-Za-z0-9]+(?:::[A-Za-z0-9]+)?)|["'](Microsoft\.[A-Za-z]+\/[A-Za-z/]+)(?=["'@])|^\s*(?:resource|data)\s+"([a-z0-9]+_[a-z0-9_]+)"/g

/**
 * A resource type as the vendor names it in prose: `azurerm_data_factory` and `Microsoft.DataFactory` spell it
 * differently.
 */
const asAzure = (type: string): string[] =>
  /^(?:azurerm_|Microsoft\.)/.test(type)
    ? [
        `azure ${type.replace(/^(?:azurerm_|Microsoft\.)/, '').replaceAll(/(?<=[a-z])(?=[A-Z])|[/_]/g, ' ')}`.toLowerCase(),
      ]
    : []

/** `provider: { name: aws }` runs functions on Lambda, and `- httpApi` puts API Gateway in front of them. */
function serverlessNames(line: string): string[] {
  const provider = /^\s*["']?name["']?\s*:\s*["']?(aws|google|azure|cloudflare)\b["']?,?\s*$/.exec(line)?.[1]
  return [
    ...(provider === undefined ? [] : [FUNCTIONS_OF[provider]!]),
    ...(/^\s*-\s+(?:http|httpApi)\b/.test(line) ? ['AWS API Gateway'] : []),
  ]
}

const FUNCTIONS_OF: Readonly<Record<string, string>> = {
  aws: 'AWS Lambda',
  google: 'Google Cloud Functions',
  azure: 'Azure Functions',
  cloudflare: 'Cloudflare Workers',
}

/** Whether a new file describes an AWS stack, whatever its name. */
export const isCloudFormation = (path: string, line: string): boolean =>
  !/(?:^|\/)serverless\./.test(path) &&
  /^\s*["']?Type["']?\s*:\s*["']?AWS::[A-Za-z0-9]+::|"Type":\s*"AWS::[A-Za-z0-9]+::/.test(line)
