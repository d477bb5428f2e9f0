import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isOffered } from '../../api/server.ts'
import { projectRoute } from '../../routes.ts'

const contextRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'context',
  component: lazyRouteComponent(() => import('./context-page.tsx'), 'ContextPage'),
  validateSearch: ({ find }: Record<string, unknown>): { find?: string } =>
    typeof find === 'string' && find !== '' ? { find } : {},
})

// The limit of `run_sql`.
const LONGEST_SQL = 100_000

// If editing is not available, the rules open as a read-only file.
const RULES = { to: '/$project/context/file/$', replace: true } as const

export const contextRoutes = [
  contextRoute.addChildren([
    createRoute({ getParentRoute: () => contextRoute, path: '/' }),
    createRoute({
      getParentRoute: () => contextRoute,
      path: 'file/$',
      component: lazyRouteComponent(() => import('./file/file-page.tsx'), 'FilePage'),
      validateSearch: ({ view }: Record<string, unknown>): { view?: 'source' } => (view === 'source' ? { view } : {}),
    }),
    createRoute({
      getParentRoute: () => contextRoute,
      path: 'table/$',
      component: lazyRouteComponent(() => import('./table/table-page.tsx'), 'TablePage'),
    }),
    createRoute({
      getParentRoute: () => contextRoute,
      path: 'sql',
      component: lazyRouteComponent(() => import('./sql/sql-page.tsx'), 'SqlPage'),
      validateSearch: ({ sql, db }: Record<string, unknown>): { sql?: string; db?: string } => ({
        ...(typeof sql === 'string' && sql.length <= LONGEST_SQL && { sql }),
        ...(typeof db === 'string' && { db }),
      }),
    }),
    createRoute({
      getParentRoute: () => contextRoute,
      path: 'sources',
      component: lazyRouteComponent(() => import('./sources/sources-page.tsx'), 'SourcesPage'),
      validateSearch: ({ add }: Record<string, unknown>): { add?: string } => (typeof add === 'string' ? { add } : {}),
    }),
    createRoute({
      getParentRoute: () => contextRoute,
      path: 'config',
      beforeLoad: ({ params }) => {
        if (!isOffered('context_save')) throw redirect({ to: '/$project/context', params, replace: true })
      },
      component: lazyRouteComponent(() => import('./editor/config-page.tsx'), 'ConfigPage'),
    }),
    createRoute({
      getParentRoute: () => contextRoute,
      path: 'rules',
      beforeLoad: ({ params }) => {
        if (!isOffered('context_save')) throw redirect({ ...RULES, params: { ...params, _splat: 'RULES.md' } })
      },
      component: lazyRouteComponent(() => import('./editor/rules-page.tsx'), 'RulesPage'),
    }),
  ]),
] as const
