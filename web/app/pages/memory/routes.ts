import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'
import { readMemorySearch } from './memory-address.ts'

/** Position at which a document is opened: a line, and the search terms that led there. */
export interface DocumentSearch {
  readonly line?: number
  readonly find?: string
}

function readDocumentSearch(raw: Record<string, unknown>): DocumentSearch {
  const line = Number(raw['line'])
  const find = raw['find']
  return {
    ...(Number.isInteger(line) && line > 0 && { line }),
    ...((typeof find === 'string' || typeof find === 'number') && { find: String(find) }),
  }
}

export const memoryRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'memory',
  validateSearch: readMemorySearch,
  component: lazyRouteComponent(() => import('./memory-page.tsx'), 'MemoryPage'),
})

export const documentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'memory/doc/$id',
  validateSearch: readDocumentSearch,
  component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
})

export const notesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'memory/notes',
  validateSearch: (raw: Record<string, unknown>): { readonly file?: string } =>
    typeof raw['file'] === 'string' ? { file: raw['file'] } : {},
  component: lazyRouteComponent(() => import('./notes/notes-page.tsx'), 'NotesPage'),
})

export const aboutMeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'memory/about-me',
  validateSearch: (raw: Record<string, unknown>): { readonly all?: true } => (raw['all'] === true ? { all: true } : {}),
  component: lazyRouteComponent(() => import('./about-me/about-me-page.tsx'), 'AboutMePage'),
})

export const memoryRoutes = [memoryRoute, documentRoute, notesRoute, aboutMeRoute] as const
