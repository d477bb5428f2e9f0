import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'
import { readInboxSearch } from './inbox/inbox-search.ts'

const homeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const newsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'news',
  validateSearch: ({ since }: Record<string, unknown>): { readonly since?: string } =>
    typeof since === 'string' && since !== '' && since.length <= 100 ? { since } : {},
  component: lazyRouteComponent(() => import('./news-page.tsx'), 'NewsPage'),
})

export const inboxRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
})

export const homeRoutes = [homeRoute, newsRoute, inboxRoute] as const
