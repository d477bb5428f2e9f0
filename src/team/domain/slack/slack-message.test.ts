import { expect, test } from 'vitest'
import { slackMessage } from './slack-message.ts'

const post = (markdown: string, foot: readonly string[] = []) =>
  slackMessage({ markdown, foot, open: 'https://ken.example/p/ask/c', buttons: ['up', 'down'], about: 'x' })

const sections = (blocks: readonly any[]): string[] =>
  blocks.filter(({ type }) => type === 'section').map((b) => b.text.text)

test('an answer consists of verbatim text, a link and thumbs', () => {
  const { blocks } = post('**842** orders', ['842: shop'])
  expect(blocks).toEqual([
    { type: 'section', text: { type: 'mrkdwn', text: '*842* orders', verbatim: true } },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: '842: shop', verbatim: true },
        { type: 'mrkdwn', text: '<https://ken.example/p/ask/c|Open in Ken>', verbatim: true },
      ],
    },
    {
      type: 'actions',
      block_id: 'ken',
      elements: [
        expect.objectContaining({ action_id: 'ken_up', value: 'x' }),
        expect.objectContaining({ action_id: 'ken_down', value: 'x' }),
      ],
    },
  ])
})

test('a long answer is split into blocks that Slack accepts, with code closed in each, and ends with a link', () => {
  const code = Array.from({ length: 400 }, (_, at) => `line ${at} && <${at}>`).join('\n')
  const { blocks } = post(`Before\n\n\`\`\`\n${code}\n\`\`\``, ['<'.repeat(5_000)])
  const texts = sections(blocks)
  expect(texts.length).toBeGreaterThan(2)
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(3_000)
    expect(text.split('```').length % 2).toBe(1)
  }
  expect(JSON.stringify(blocks)).toContain('Cut here: open all of it in Ken')
  expect(JSON.stringify(blocks).length).toBeLessThan(13_000)
})

test('an endless line is never split inside an escaped character', () => {
  const texts = sections(post('&'.repeat(4_000)).blocks)
  for (const text of texts) expect(text).toMatch(/^(?:&amp;)*$/m)
  expect(sections(post('').blocks)).toEqual(['…'])
})
