import { BUILDING } from './aliases-building.ts'
import { RUNNING } from './aliases-running.ts'
import { SERVICES } from './aliases-services.ts'

/**
 * What software is called, as data: one thing per line, `name | other names | what brings it in`.
 *
 * - Other names (comma between) mean the very same thing: k8s is Kubernetes.
 * - What brings it in (space between) is a package, image, resource or product that needs it, whatever the ecosystem:
 *   ioredis means Redis, Redis does not mean ioredis. A thing may bring in another: Prisma is an ORM.
 * - `~` marks a name that is an ordinary word of English when it is written small; among what brings it in, one that only
 *   counts as the name of a package.
 */
export const ALIASES = `${RUNNING}\n${SERVICES}\n${BUILDING}`

/** Names in other scripts, `name | other names`. Apart, so that the long table stays one byte to a character. */
export const OTHER_SCRIPTS = `
message queue | 消息队列, メッセージキュー, 메시지 큐
Kubernetes | 库伯内特斯
serverless | 无服务器
server-side rendering | 服务端渲染, 服务器端渲染, サーバーサイドレンダリング
single-page application | 单页应用
micro frontends | 微前端
microservices | 微服务, マイクロサービス, 마이크로서비스
event sourcing | 事件溯源
ORM | 对象关系映射
blockchain | 区块链
`
