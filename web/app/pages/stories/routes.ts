import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'
import { readStoriesSearch } from './stories-search.ts'

const storiesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'stories',
  validateSearch: readStoriesSearch,
  component: lazyRouteComponent(() => import('./stories-page.tsx'), 'StoriesPage'),
})

const storyRoute = createRoute({
  getParentRoute: () => storiesRoute,
  path: '$slug',
  component: lazyRouteComponent(() => import('./story-page.tsx'), 'StoryPage'),
})

export const storyRoutes = [storiesRoute.addChildren([storyRoute])] as const
