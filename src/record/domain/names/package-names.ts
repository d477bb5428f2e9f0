import { VENDORS } from './aliases-services.ts'
import { broughtInBy, isKnown, knownName, nameKey } from './known-names.ts'
import { type Wanted, mentionsIn, phraseId } from './mentions.ts'

/**
 * The things that a package, image or module implies, by its name in any ecosystem: `@scope/redis-client`,
 * `spring-boot-starter-data-mongodb`, `kafkajs`, `github.com/redis/go-redis/v9`. A part that is an ordinary word counts
 * only as the whole name: `express` is Express, `express-delivery` is not.
 */
export function thingsOfPackage(name: string, wanted: Wanted): string[] {
  const bare = name
    .replace(/^@types\//, '')
    .replace(/^(?:docker\.io\/|ghcr\.io\/|quay\.io\/)?library\//, '')
    .replace(/^(?:[\w-]+\.)+[a-z]{2,}\//, '')
    .replace(/\/v\d+$/, '')
  // `@google-cloud/kms` belongs to Google, whatever `kms` means on its own.
  const whole = isKnown(nameKey(bare)) ? [nameKey(bare)] : [bare, bare.replace(/^.*[/:](?=[^/:]+$)/, '')].map(nameKey)
  const wholeIds = whole.flatMap((key) => [
    ...(knownName(key) === undefined ? [phraseId([key])] : [knownName(key)!.id]),
    ...broughtInBy(key, 'package'),
  ])
  const parts = mentionsIn(bare, wanted).filter(({ isOrdinary }) => !isOrdinary)
  // "React Native" is not React, even if only its package shows that; `@pulumi/aws` belongs to Pulumi.
  const isOther = whole.some((key) => knownName(key) !== undefined && !VENDORS.has(key))
  const ids = isOther ? wholeIds : [...wholeIds, ...parts.flatMap((part) => part.ids.filter((id) => !/^[~^]/.test(id)))]
  return [...new Set(ids)].filter((id) => wanted.has(id))
}
