import { createRootRoute, createRoute } from '@tanstack/react-router'
import { Frame } from './frame/frame.tsx'

export const rootRoute = createRootRoute()

/** Everything that is shown is of one project, and its address says of which. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$project',
  component: Frame,
})
