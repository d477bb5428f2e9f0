import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'
import { readCompare, readForm, readSearch } from './search.ts'

export const decisionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'decisions',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./decisions-page.tsx'), 'DecisionsPage'),
})

const decisionRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: '$id',
  component: lazyRouteComponent(() => import('./browse-page.tsx'), 'BrowsePage'),
})

export const editRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: '$id/edit',
  component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditPage'),
})

export const compareRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: 'compare',
  validateSearch: readCompare,
  component: lazyRouteComponent(() => import('./compare-page.tsx'), 'ComparePage'),
})

export const newDecisionRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: 'new',
  validateSearch: readForm,
  component: lazyRouteComponent(() => import('./proposal-page.tsx'), 'ProposalPage'),
})

const indexRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./browse-page.tsx'), 'BrowsePage'),
})

export const decisionRoutes = [
  decisionsRoute.addChildren([indexRoute, decisionRoute, editRoute, compareRoute, newDecisionRoute]),
] as const
