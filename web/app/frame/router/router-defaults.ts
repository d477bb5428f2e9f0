import type { ErrorRouteComponent, NotFoundRouteComponent, RouteComponent } from '@tanstack/react-router'
import { NoSuchPage } from './no-such-page.tsx'
import { PageFault } from './page-fault.tsx'
import { PagePending } from './page-pending.tsx'

interface Defaults {
  readonly defaultPendingComponent: RouteComponent
  readonly defaultPendingMs: number
  readonly defaultPendingMinMs: number
  readonly defaultNotFoundComponent: NotFoundRouteComponent
  readonly defaultErrorComponent: ErrorRouteComponent
}

/**
 * Components for a pending, missing or crashed page. The types are explicit: inferring them from the components, which
 * link to routes, would make the router's type circular and therefore any.
 */
export const routerDefaults: Defaults = {
  defaultPendingComponent: PagePending,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultNotFoundComponent: NoSuchPage,
  defaultErrorComponent: PageFault,
}
