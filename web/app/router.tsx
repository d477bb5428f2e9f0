import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { HERE } from './api/place.ts'
import { routerDefaults } from './frame/router/router-defaults.ts'
import { askRoutes } from './pages/ask/routes.ts'
import { contextRoutes } from './pages/context/routes.ts'
import { decisionRoutes } from './pages/decisions/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { memoryRoutes } from './pages/memory/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { storyRoutes } from './pages/stories/routes.ts'
import { testRoutes } from './pages/tests/routes.ts'
import { projectRoute, rootRoute } from './routes.ts'

const first = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$project', params: { project: HERE } })
  },
})

const tree = rootRoute.addChildren([
  first,
  projectRoute.addChildren([
    ...homeRoutes,
    ...askRoutes,
    ...decisionRoutes,
    ...memoryRoutes,
    ...contextRoutes,
    ...storyRoutes,
    ...testRoutes,
    ...settingsRoutes,
  ]),
])

export const router = createRouter({
  ...routerDefaults,
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
