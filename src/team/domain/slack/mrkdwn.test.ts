import { expect, test } from 'vitest'
import { linkTo, toMrkdwn } from './mrkdwn.ts'

test('no text can mention a person, regardless of the surrounding text', () => {
  for (const text of ['<!channel> look', '**<!everyone>**', '`<@U1>`', '# <!here>', '[<!channel>](https://a.example)'])
    expect(toMrkdwn(text).replaceAll(/<https:\/\/[^<>]*>/g, '')).not.toMatch(/<[!@#]/)
  expect(toMrkdwn('a < b && c > d')).toBe('a &lt; b &amp;&amp; c &gt; d')
})

test('a link leads to an https address or becomes plain text', () => {
  expect(toMrkdwn('see [the docs](https://a.example/x?a=1&b=2)')).toBe('see <https://a.example/x?a=1&amp;b=2|the docs>')
  for (const address of ['http://a.example', 'javascript:alert(1)', 'slack://open', 'mailto:a@a.example'])
    expect(toMrkdwn(`[here](${address})`)).toBe('here')
  expect(linkTo('https://a.example/|<!channel>', 'x|y>')).toBe('<https://a.example/%7C%3C!channel%3E|x/y&gt;>')
})

test('Markdown is converted to equivalent Slack markup', () => {
  expect(toMrkdwn('## Orders\n\n- **842** paid\n- *few* ~~open~~\n> said')).toBe(
    '*Orders*\n\n• *842* paid\n• _few_ ~open~\n> said',
  )
  expect(toMrkdwn('2 * 3 * 4 and snake_case_name')).toBe('2 * 3 * 4 and snake_case_name')
})

test('code is unchanged, and a table becomes code', () => {
  expect(toMrkdwn('```sql\nSELECT **a** < 1\n```')).toBe('```\nSELECT **a** &lt; 1\n```')
  expect(toMrkdwn('| a | b |\n| --- | ---: |\n| 1 | `<x>` |\nafter')).toBe(
    '```\n| a | b |\n| 1 | ’&lt;x&gt;’ |\n```\nafter',
  )
})
