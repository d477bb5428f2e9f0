import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { init } from '../src/setup/operations/init.ts'
import { openDesk, type Desk } from './client-desk.ts'

let desk: Desk
beforeEach(() => {
  desk = openDesk()
  for (const name of ['api', 'web']) mkdirSync(join(desk.home, 'work', name))
})
afterEach(() => desk.close())

const projectOf = async (folder: string) =>
  (await desk.context.projects.find({ directory: join(desk.home, 'work', folder) }))?.name

it('binds further repositories to a new project', async () => {
  const output = await desk.run(init, { name: 'shop', add_repo: ['../api', join(desk.home, 'work/web')] })
  expect(output.repositories).toEqual(['orchard', 'api', 'web'].map((name) => join(desk.home, 'work', name)))
  expect([await projectOf('orchard'), await projectOf('api'), await projectOf('web')]).toEqual(['shop', 'shop', 'shop'])
})

it('adds to an existing project, by name from anywhere or without one from its repository', async () => {
  await desk.context.projects.create({ name: 'shop', mode: 'local', repository: undefined })
  expect(await desk.run(init, { name: 'shop', add_repo: ['../api'] })).toMatchObject({ created: false })
  expect([await projectOf('orchard'), await projectOf('api')]).toEqual([undefined, 'shop'])
  await desk.run(init, { name: 'orchard' })
  await desk.run(init, { add_repo: ['../web'] })
  expect(await projectOf('web')).toBe('orchard')
})

it('refuses a missing folder or one of another project, and adds neither', async () => {
  await desk.run(init, { name: 'shop' })
  await expect(desk.run(init, { add_repo: ['../api', '../nowhere'] })).rejects.toMatchObject({ code: 'not_found' })
  await desk.context.projects.create({ name: 'other', mode: 'local', repository: join(desk.home, 'work/web') })
  await expect(desk.run(init, { add_repo: ['../api', '../web'] })).rejects.toMatchObject({ code: 'conflict' })
  expect(await projectOf('api')).toBeUndefined()
})
