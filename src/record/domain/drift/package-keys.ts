import { nameKey } from '../names/known-names.ts'
import { GENERIC } from '../names/words.ts'

/** The keys of a package: its name, and the last part of it (`@scope/name`, `org.group:artifact`, `github.com/owner/name/v2`). */
export function packageKeys(name: string): string[] {
  const bare = withoutExtras(name)
  const group = /^(?:[\w-]+\.)+([\w-]+):/.exec(bare)?.[1] ?? ''
  return [...new Set([bare, lastPart(bare), group].map(nameKey))].filter((key) => key !== '')
}

/**
 * The keys of the product a package belongs to: `@radix-ui/react-dialog` to Radix, `com.google.dagger:hilt-android` to
 * Hilt, `aquasecurity/trivy-action` to Trivy, `posthog-js` to PostHog.
 */
export function productKeys(name: string): string[] {
  const bare = withoutExtras(name)
  const owner = /^@?([\w-]+)\//.exec(bare)?.[1] ?? ''
  const artifact = /:([\w-]+)$/.exec(bare)?.[1] ?? ''
  const last = lastPart(bare)
  const found = [
    owner,
    owner.replace(OF_OWNER, ''),
    /^([A-Za-z0-9]+)-/.exec(artifact)?.[1] ?? '',
    last.replace(OF_ACTION, ''),
    last.replace(OF_PACKAGE, ''),
  ]
  return [...new Set(found.map(nameKey))].filter((key) => key.length > 2 && !GENERIC.has(key) && !NO_PRODUCT.has(key))
}

const withoutExtras = (name: string): string =>
  name
    .replace(/^@types\//, '')
    .replace(/\[.*$/, '')
    .replace(/\/v\d+$/, '')

const lastPart = (name: string): string => name.replace(/^.*[/:](?=[^/:]+$)/, '')

const OF_OWNER = /-?(?:ui|js|io|org|hq|labs?|dev|inc|team|community|tools)$/i
const OF_ACTION = /^(?:setup|install|run)-|-(?:github-)?actions?$/gi
const OF_PACKAGE = /[-_.](?:js|ts|py|rs|rb|php|node|react|vue|client|sdk|cli|core|orm|gl|ui|api)$/i

/** Companies, platforms and words that packages of all kinds begin with: one package does not choose them. */
const NO_PRODUCT: ReadonlySet<string> = new Set(
  `actions github gitlab docker library bitnami linuxserver google googlecloud googleapis aws awssdk awsactions amazon azure microsoft
  facebook meta apple apache eclipse jetbrains oracle ibm redhat hashicorp vercel types std sys linux windows netinet arpa asm bits mach
  android androidx kotlin kotlinx java javax jakarta scala scalajs jvm python ruby rust golang node nodejs common commons core test tests
  testing runtime compiler plugin plugins gradle maven sbt http json xml yaml sql jdbc log logger logging web app base util utils lib
  annotations open native mobile desktop browser shared internal public main src include net dom css html svg font fonts icon icons`.split(
    /\s+/,
  ),
)

/**
 * First word of a name: `radix-vue` may belong to Radix. Enough to show that Radix is still used, but not that it ever
 * was.
 */
export const firstWord = (name: string): string[] =>
  [nameKey(/^[A-Za-z0-9]+(?=[-_])/.exec(lastPart(withoutExtras(name)))?.[0] ?? '')].filter((key) => key.length > 2)

/** Parts of a module such as `dagger.hilt.android.HiltAndroidApp`, which also count as used while it is imported. */
export const moduleParts = (name: string): string[] =>
  MODULE.test(name) ? [...new Set(name.split(/[.\\:]+/).map(nameKey))].filter((key) => key.length > 2) : []

const MODULE = /^\w+(?:(?:\.|\\|::)[\w$*]+)+$/
