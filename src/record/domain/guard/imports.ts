const JAVASCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/
const JVM = /\.(?:java|kt|kts|scala|groovy)$/

/** For each language, the form of a line that imports something. */
const READERS: readonly (readonly [file: RegExp, line: RegExp])[] = [
  [JAVASCRIPT, /(?:(?:[\w$*}]\s|[*}])\s*from\s*|^\s*import\s*|\brequire\(\s*|\bimport\(\s*)["']([^"']+)["']/],
  [/\.pyi?$/, /^\s*(?:from\s+([A-Za-z][\w.]*)\s+import\b|import\s+([A-Za-z][\w.]*))/],
  [/\.go$/, /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w.-]+\.[\w.-]+(?:\/[\w.~-]+)+)"\s*$/],
  [/\.rs$/, /^\s*(?:pub\s+)?(?:use|extern\s+crate)\s+(?!crate\b|self\b|super\b|std\b|core\b|alloc\b)(\w+)/],
  [JVM, /^\s*import\s+(?:static\s+)?([\w.]+)/],
  [/\.cs$/, /^\s*(?:global\s+)?using\s+(?:static\s+)?(?!System\b)([A-Z][\w.]*)\s*;/],
  [/\.rb$/, /^\s*require\s*\(?\s*["']([^"']+)["']/],
  [/\.php$/, /^\s*use\s+\\?([A-Z][\w\\]*)/],
  [/\.exs?$/, /^\s*(?:use|import|alias|require)\s+([A-Z][\w.]*)/],
  [/\.(?:c|cc|cpp|cxx|h|hpp|m|mm)$/, /^\s*#\s*include\s*<([^>]+)>/],
  [/\.swift$/, /^\s*import\s+(\w+)/],
  [/\.dart$/, /^\s*import\s+['"]package:([\w]+)\//],
]

/**
 * The package that a line of code imports from; undefined if there is none, and for relative imports and the platform.
 */
export function importIn(path: string, line: string): string | undefined {
  const fetched = CDN.exec(line)?.[1]
  if (fetched !== undefined) return fetched
  for (const [file, pattern] of READERS) {
    if (!file.test(path)) continue
    const [, ...names] = pattern.exec(line) ?? []
    const name = names.find((each) => each !== undefined)
    if (name !== undefined) return packageOfImport(path, name)
  }
  return undefined
}

/** The package of an imported module; undefined for relative imports and for the platform. */
export function packageOfImport(path: string, module: string): string | undefined {
  if (module === '' || OWN_OR_PLATFORM.test(module)) return undefined
  if (path.endsWith('.rs'))
    return /^(?:crate|self|super|std|core|alloc)\b/.test(module) ? undefined : module.split('::')[0]
  return JAVASCRIPT.test(path) ? packageOf(module) : module
}

/** A page may load a package from a CDN. */
const CDN =
  /https?:\/\/(?:unpkg\.com|esm\.sh|cdn\.skypack\.dev|cdn\.jsdelivr\.net\/npm|cdnjs\.cloudflare\.com\/ajax\/libs|ga\.jspm\.io\/npm:)\/?(@[\w.-]+\/[\w.-]+|[\w.-]+)/

const OWN_OR_PLATFORM =
  /^(?:[./~#$]|@\/|node:|bun:|virtual:)|^(?:assert|buffer|child_process|cluster|console|crypto|dns|events|fs|http|http2|https|module|net|os|path|perf_hooks|process|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|v8|vm|worker_threads|zlib)(?:\/|$)/

/** `@scope/name/deep/file` → `@scope/name`; includes the file if each file is a service: `aws-cdk-lib/aws-kms`. */
const packageOf = (specifier: string): string =>
  specifier
    .replace(/^npm:/, '')
    .split('/')
    .slice(0, (specifier.startsWith('@') ? 2 : 1) + (OF_SERVICES.test(specifier) ? 2 : 0))
    .join('/')

const OF_SERVICES = /^(?:aws-cdk-lib|aws-sdk|firebase|firebase-admin|@pulumi\/[\w-]+|@cdktf\/[\w-]+)\//

/**
 * The vendor services that a line of code opens: `boto3.client("kms")`, `new gcp.storage.Bucket(…)`, `new AWS.SQS()`.
 */
export function servicesCalled(path: string, line: string): string[] {
  if (/^\s*(?:\/\/|\/?\*|#)/.test(line)) return []
  if (!/\.(?:py|[cm]?[jt]sx?)$/.test(path)) return []
  const clients = path.endsWith('.py')
    ? [...line.matchAll(/\.(?:client|resource)\(\s*(?:service_name\s*=\s*)?["']([a-z][a-z0-9-]{1,30})["']/g)]
    : []
  const constructs = [...line.matchAll(/(?<![\w.])(aws|gcp|azure|AWS)\.([a-zA-Z]\w*)(?=\.[A-Z]\w*\s*[(<]|\s*\()/g)]
  const modules = /^\s*from\s+aws_cdk\s+import\s+(.+)$/.exec(line)?.[1]?.match(/\baws_\w+/g) ?? []
  return [
    ...clients.map(([, service]) => `aws-${service}`),
    ...constructs.map(([, vendor, service]) => `${vendor}.${service}`),
    ...modules,
  ]
}
