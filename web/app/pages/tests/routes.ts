import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../routes.ts'

export interface TestsSearch {
  /** Search terms for a name, file, tag or kind. */
  readonly q?: string
  readonly only?: 'failing'
  /** Opens the form that creates a case, from a chat (its id or `last`), or from a downvote (its draft or answer). */
  readonly record?: string
  readonly feedback?: string
}

/** A change of the parameters; undefined removes one. */
export type SearchPart = { readonly [K in keyof TestsSearch]?: TestsSearch[K] | undefined }

export interface RunSearch {
  /** Id of the open case, its model and the number of the try. */
  readonly case?: string
  readonly model?: string
  readonly try?: number
  readonly show?: 'all'
  /** The run to compare with. */
  readonly baseline?: string
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 500 ? value : undefined

const whole = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 && number <= 1_000 ? number : undefined
}

/** Drops unset fields, so that a URL stays short. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export const testsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tests',
  validateSearch: (search: Record<string, unknown>): TestsSearch =>
    given({
      q: text(search['q']),
      only: search['only'] === 'failing' ? ('failing' as const) : undefined,
      record: text(search['record']),
      feedback: text(search['feedback']),
    }),
  component: lazyRouteComponent(() => import('./tests-page.tsx'), 'TestsPage'),
})

export const runRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tests/run/$run',
  validateSearch: (search: Record<string, unknown>): RunSearch =>
    given({
      case: text(search['case']),
      model: text(search['model']),
      try: whole(search['try']),
      show: search['show'] === 'all' ? ('all' as const) : undefined,
      baseline: text(search['baseline']),
    }),
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

export const testRoutes = [testsRoute, runRoute] as const
