import { createRootRoute, createRoute } from '@tanstack/react-router'
import { Frame } from './frame/frame.tsx'

export const rootRoute = createRootRoute()

/** Every page belongs to one project, which is in its URL. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$project',
  component: Frame,
})
