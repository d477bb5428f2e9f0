import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isOffered, isTeam } from '../../api/server.ts'
import { projectRoute } from '../../routes.ts'

/** The sections of the settings, in display order, with the operations each needs. */
const NEEDS = {
  people: 'people_list',
  projects: 'project_members',
  usage: 'project_usage',
  sharing: 'replay_rule',
  access: 'token_list',
  audit: 'project_audit',
  models: 'models_list',
  clients: 'clients_list',
  collections: 'collection_list',
  storage: 'storage',
  privacy: 'privacy',
  tokens: 'token_show',
  appearance: undefined,
  all: 'config_list',
} as const

export type Section = keyof typeof NEEDS

const OF_A_TEAM: ReadonlySet<Section> = new Set(['people', 'projects', 'usage', 'sharing', 'access', 'audit'])

/** Sections that this server supports. */
export const SECTIONS = (Object.keys(NEEDS) as Section[]).filter((section) => {
  const needs = NEEDS[section]
  return needs === undefined || (isOffered(needs) && (isTeam() || !OF_A_TEAM.has(section)))
})

export const isSection = (text: string): text is Section => SECTIONS.some((one) => one === text)

const first = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$project/settings/$section', params: { ...params, section: SECTIONS[0]! }, replace: true })
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
