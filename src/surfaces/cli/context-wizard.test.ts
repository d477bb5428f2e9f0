import { expect, test } from 'vitest'
import { typist } from '../../../test/typist.ts'
import { contextDefinitions } from '../../app/providers.ts'
import { askForContext } from './context-wizard.ts'

test('the answers become the words someone could have typed', async () => {
  const streams = typist([
    ['called', 'shop\r'],
    ['Which database', 'jj\r'],
    ['environment variable', 'SHOP_URL\r'],
    ['repository', '../web\r'],
    ['documents?', '\r'],
    ['Make it', 'y\r'],
  ])
  expect(await askForContext('here', await contextDefinitions(), streams)).toEqual([
    '--name',
    'shop',
    '--database',
    'postgres:${SHOP_URL}',
    '--repository',
    '../web',
  ])
})

test('stopping in the middle makes nothing', async () => {
  await expect(
    askForContext(
      'here',
      await contextDefinitions(),
      typist([
        ['called', '\r'],
        ['Which database', '\u0003'],
      ]),
    ),
  ).rejects.toMatchObject({ code: 'stopped' })
})
