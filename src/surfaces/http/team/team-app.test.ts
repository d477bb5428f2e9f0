import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/domain/errors.ts'
import { openAllowances } from '../../../kernel/domain/limits/allowance.ts'
import { openMetrics } from '../../../kernel/domain/metrics.ts'
import { openRequestSources } from './request-source.ts'
import { buildTeamApp, type TeamAppOptions } from './team-app.ts'

const unused = (): never => {
  throw new Error('not reached')
}

function appWhere(callerOf: () => Promise<never>) {
  return buildTeamApp({
    operations: [],
    version: '0',
    publicUrl: 'https://ken.example.com',
    metrics: openMetrics(),
    limits: { person: { burst: 9, perMinute: 9 }, nobody: { burst: 9, perMinute: 9 } },
    allowances: openAllowances(() => 0),
    log: () => undefined,
    now: () => new Date(0),
    callerOf,
    isReady: unused,
    context: unused,
    mcp: unused,
    projectsOf: unused,
    sources: openRequestSources(0),
    records: {} as TeamAppOptions['records'],
    memory: {} as TeamAppOptions['memory'],
  })
}

const ask = (thrown: unknown) =>
  appWhere(() => Promise.reject(thrown)).request('/v1/list_projects', {
    method: 'POST',
    headers: { host: 'ken.example.com', authorization: 'Bearer ken_p_x' },
  })

test('a request while the database is away fails with a hint to retry', async () => {
  const answer = await ask(new AppError('unavailable', 'The database cannot be reached', { hint: 'Try again.' }))
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: { code: 'unavailable', message: 'The database cannot be reached', hint: 'Try again.' } },
  ])
})

test('an internal server error is reported without its message', async () => {
  const answer = await ask(new Error('password=hunter2'))
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('hunter2')
})
