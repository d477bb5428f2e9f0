import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('suppresses the SQLite warning in every thread, and no other warning', () => {
  const body = (where: string) => `
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('${where} is at hand', 'ExperimentalWarning')`
  const file = new URL('./suppress-warnings.ts', import.meta.url).href
  const thread = `import('${file}').then(({ suppressWarnings }) => { suppressWarnings(process); ${body('Thread')} })`
  const program = `
    import { Worker } from 'node:worker_threads'
    import { suppressWarnings } from '${file}'
    suppressWarnings(process)
    ${body('Main')}
    new Worker(${JSON.stringify(thread)}, { eval: true })`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stderr).toContain('ExperimentalWarning: Main is at hand')
  expect(stderr).toContain('ExperimentalWarning: Thread is at hand')
  expect(stderr).not.toContain('SQLite is an experimental')
})

test('file content in YAML parser warnings does not reach the terminal', () => {
  const program = `
    import { suppressWarnings } from '${new URL('./suppress-warnings.ts', import.meta.url).href}'
    import { readSkill } from '${new URL('../../analyst/domain/skill.ts', import.meta.url).href}'
    suppressWarnings(process)
    const skill = readSkill('a.md', '---\\n%\\x1b[31mRED x\\n---\\nA skill.')
    process.emitWarning('a name: \\x1b[31mRED')
    process.stdout.write(skill.description)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stdout).toContain('A skill.')
  expect(stderr).toContain(String.raw`a name: \u{1b}[31mRED`)
  expect(stderr).not.toContain('\x1b')
  expect(stderr).not.toContain('YAMLWarning')
})
