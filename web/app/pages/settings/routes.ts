import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'

/** The sections of the settings, in the order they are shown. */
export const SECTIONS = [
  'models',
  'clients',
  'collections',
  'storage',
  'privacy',
  'tokens',
  'appearance',
  'all',
] as const

export type Section = (typeof SECTIONS)[number]

export const isSection = (text: string): text is Section => SECTIONS.some((one) => one === text)

const first = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$project/settings/$section', params: { ...params, section: SECTIONS[0] }, replace: true })
  },
})

export const sectionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings/$section',
  validateSearch: (search: Record<string, unknown>): { readonly q?: string } =>
    typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'].slice(0, 200) } : {},
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

export const settingsRoutes = [first, sectionRoute] as const
