import { expect, test } from 'vitest'
import { openChannels } from '../../src/app/team/team-channels.ts'

const [SHOP, LAB] = ['01J00000000000000000000001', '01J00000000000000000000002']
const APP = { KEN_SLACK_BOT_TOKEN: 'xoxb-1', KEN_SLACK_SIGNING_SECRET: 'signed' }
const OF_LAB = { [`KEN_SLACK_BOT_TOKEN_${LAB}`]: 'xoxb-2', [`KEN_SLACK_SIGNING_SECRET_${LAB}`]: 'other' }

test('Slack is off until a project is configured', () => {
  expect([...openChannels({ ...APP }).keys()]).toEqual([])
  expect([...openChannels({ ...APP, KEN_SLACK_PROJECTS: `T1=${SHOP}` }).keys()]).toEqual([SHOP])
})

test('a server does not start if a project has no secrets or two share one app, and shows no secret', () => {
  const projects = { KEN_SLACK_PROJECTS: `T1/C1=${SHOP},T1/C2=${LAB}` }
  const failure = (environment: Record<string, string>): string => {
    try {
      openChannels(environment)
    } catch (thrown) {
      return (thrown as { line: string }).line
    }
    return ''
  }
  expect(failure({ KEN_SLACK_PROJECTS: `T1=${SHOP}` })).toContain('KEN_SLACK_BOT_TOKEN is not set.')
  expect(failure({ ...APP, ...projects })).toContain(`KEN_SLACK_SIGNING_SECRET_${LAB}`)
  expect(failure({ ...APP, ...projects })).not.toContain('xoxb')
  expect([...openChannels({ ...APP, ...OF_LAB, ...projects }).keys()]).toEqual([SHOP, LAB])
  expect(failure({ ...APP, KEN_SLACK_PROJECTS: `T1=${SHOP}`, KEN_SLACK_API_URL: 'http://a.example' })).toContain(
    'https',
  )
})
