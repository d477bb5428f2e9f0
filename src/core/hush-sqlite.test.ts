import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the warning about SQLite is kept back, in a thread of its own as well, and no other is', () => {
  const body = (where: string) => `
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('${where} is at hand', 'ExperimentalWarning')`
  const file = new URL('./hush-sqlite.ts', import.meta.url).href
  const thread = `import('${file}').then(({ hushSqlite }) => { hushSqlite(process); ${body('Thread')} })`
  const program = `
    import { Worker } from 'node:worker_threads'
    import { hushSqlite } from '${file}'
    hushSqlite(process)
    ${body('Main')}
    new Worker(${JSON.stringify(thread)}, { eval: true })`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stderr).toContain('ExperimentalWarning: Main is at hand')
  expect(stderr).toContain('ExperimentalWarning: Thread is at hand')
  expect(stderr).not.toContain('SQLite is an experimental')
})
