import { BUILDING } from './aliases-building.ts'
import { RUNNING } from './aliases-running.ts'

/**
 * What software is called, as data: one thing per line, `name | other names | what brings it in`.
 *
 * - Other names (comma between) mean the very same thing: k8s is Kubernetes.
 * - What brings it in (space between) is a package, image, resource or product that needs it, whatever the ecosystem:
 *   ioredis means Redis, Redis does not mean ioredis. A thing may bring in another: Prisma is an ORM.
 * - `~` marks a name that is an ordinary word of English when it is written small; among what brings it in, one that only
 *   counts as the name of a package.
 */
export const ALIASES = `${RUNNING}\n${BUILDING}`
