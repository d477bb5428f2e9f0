import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'

interface AskSearch {
  /** Search term for the list of chats. */
  readonly find?: string
  /** Only the chats that others share. */
  readonly shared?: true
  /** Initial text of the composer, from a link on another page. */
  readonly question?: string
  /** Shows the list if there is room for only one pane. */
  readonly chats?: true
}

const askRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'ask',
  validateSearch: (given: Record<string, unknown>): AskSearch => ({
    ...words('find', given['find'], 500),
    ...words('question', given['question'], 4_000),
    ...(given['shared'] === true && { shared: true as const }),
    ...(given['chats'] === true && { chats: true as const }),
  }),
  component: lazyRouteComponent(() => import('./ask-page.tsx'), 'AskPage'),
})

const newChatRoute = createRoute({
  getParentRoute: () => askRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./new-chat.tsx'), 'NewChat'),
})

const chatRoute = createRoute({
  getParentRoute: () => askRoute,
  path: '$chat',
  component: lazyRouteComponent(() => import('./chat-page.tsx'), 'ChatPage'),
})

export const askRoutes = [askRoute.addChildren([newChatRoute, chatRoute])] as const

const words = <N extends string>(name: N, value: unknown, most: number): { readonly [K in N]?: string } =>
  typeof value === 'string' && value.trim() !== '' ? ({ [name]: value.slice(0, most) } as { [K in N]: string }) : {}
