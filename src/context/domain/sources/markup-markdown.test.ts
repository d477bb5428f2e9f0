import { expect, test } from 'vitest'
import { markupTitle, markupToMarkdown } from './markup-markdown.ts'

test.each([
  [
    'paragraphs and inline marks',
    '<p>One <b>two</b> <i>three</i> <code>four</code>.</p><p>Five</p>',
    'One **two** *three* `four`.\n\nFive\n',
  ],
  ['lists inside lists', '<ol><li>a<li>b<ul><li>c</ul></ol>', '1. a\n2. b\n   - c\n'],
  [
    'tables with bars in cells',
    '<table><tr><th>a<th>b<tr><td>1|2<td><p>3</p><p>4</p></table>',
    '| a | b |\n| --- | --- |\n| 1\\|2 | 3 4 |\n',
  ],
  [
    'code as it is',
    '<pre><code class="language-sql">select *\n  from t &lt; 3</code></pre>',
    '```sql\nselect *\n  from t < 3\n```\n',
  ],
  ['links, but none that run', '<a href="/x">x</a> <a href="javascript:alert(1)">y</a>', '[x](/x) y\n'],
  [
    'no scripts, styles or navigation',
    '<nav>n</nav><style>p{}</style><script>if (a < b) {}</script><p>text</p>',
    'text\n',
  ],
  [
    'tasks',
    '<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>done</ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>open</ac:task-body></ac:task></ac:task-list>',
    '- [x] done\n- [ ] open\n',
  ],
  ['broken markup', '<p>a <b>b</p><p>c & d < e', 'a **b**\n\nc & d < e\n'],
  [
    'quotes and pictures',
    '<blockquote><p>q</p></blockquote><p><img src="x.png" alt="A chart"></p>',
    '> q\n\n[image: A chart]\n',
  ],
])('converts to Markdown: %s', (_name, markup, markdown) => {
  expect(markupToMarkdown(markup)).toBe(markdown)
})

test('reads the title of a page, if it has one', () => {
  expect(markupTitle('<html><head><title> A &amp;\n B </title></head></html>')).toBe('A & B')
  expect(markupTitle('<p>none</p>')).toBeUndefined()
})

const N = 100_000
const BOMBS: Readonly<Record<string, string>> = {
  'comments without an end': '<!--'.repeat(N),
  'sections without an end': '<![CDATA['.repeat(N),
  'tags without an end': '<a '.repeat(N),
  'one tag of many attributes without an end': `<a ${'b '.repeat(N)}`,
  'quotes without an end': '<a b="'.repeat(N),
  'quotes of both kinds without an end': `<a b="<a b='`.repeat(N),
  'declarations without an end': '<!'.repeat(N),
  'closing tags of nothing': `${'<div>'.repeat(N)}${'</p>'.repeat(N)}`,
  'boxes in boxes': `${'<div>'.repeat(N)}x`,
  'lists in lists': `${'<ul><li>'.repeat(N / 2)}x`,
  'white space': `<pre>${' '.repeat(N)}x</pre><table><tr><td><pre>${' '.repeat(N)}x</pre></table>`,
  'many empty words': '<b></b> '.repeat(N / 2),
  'one long row and many short ones': `<table><tr>${'<td>x'.repeat(5_000)}${'<tr><td>y'.repeat(5_000)}</table>`,
  'raw text without an end': '<svg>'.repeat(N),
  'raw text with many ends': '<svg></svg>'.repeat(N / 5),
}

test.each(Object.entries(BOMBS))('scans markup with %s only once', (_name, markup) => {
  expect(markupToMarkdown(markup).length).toBeLessThan(markup.length * 20)
})
