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
 * What is shown while a page comes, where there is none, and where one fell over. Their types are written down: taken
 * from the components, which link to routes, they would make the type of the router depend on itself, and it any.
 */
export const routerDefaults: Defaults = {
  defaultPendingComponent: PagePending,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultNotFoundComponent: NoSuchPage,
  defaultErrorComponent: PageFault,
}
